/**
 * Whether every validator compiles a schema. Clients compile the schemas of results while they list tools, and one that does
 * not compile costs them the whole list. It is asked only of what is a schema by `well-formed.ts`, and is on the safe side.
 */
import { isObject } from '../../base/json/is-object.ts';
import { type JsonSchema, mapChildren } from './json-schema.ts';
import { resolveReference } from './references.ts';

export function compiles(root: JsonSchema): boolean {
  const nodes = new Set<unknown>();
  const references: string[] = [];
  const isFine = (node: unknown): boolean => {
    if (typeof node === 'boolean') return true;
    if (!isObject(node) || !hasUsableKeywords(node, node === root)) return false;
    nodes.add(node);
    if (typeof node.$ref === 'string') references.push(node.$ref);
    let fine = true;
    mapChildren(node, child => {
      fine &&= isFine(child);
      return child;
    });
    return fine;
  };
  return isFine(root) && references.every(reference => leadsInside(root, reference, nodes));
}

/** A reference is never fetched, and what it names has to be one of the schemas that were looked at. */
function leadsInside(root: JsonSchema, reference: string, nodes: ReadonlySet<unknown>): boolean {
  if (reference === '#') return true;
  if (!LOCAL.test(reference)) return false;
  const target = resolveReference(root, reference);
  return typeof target === 'boolean' || nodes.has(target);
}

/** A pointer from the root, in characters that every reader of addresses takes as they are. */
const LOCAL = /^#(?:\/(?:[\w$.~+:@!&'()*,;=-]|%[\da-f]{2})+)+$/i;

function hasUsableKeywords(node: JsonSchema, isRoot: boolean): boolean {
  for (const key in node) {
    const check = KEYWORDS.get(key);
    if (check && !check(node[key], isRoot)) return false;
  }
  const { patternProperties, nullable, type } = node;
  if (isObject(patternProperties) && !Object.keys(patternProperties).every(isPattern)) return false;
  // Some refuse it where no type is beside it.
  return (
    nullable === undefined ||
    (typeof nullable === 'boolean' && type !== undefined && !(nullable === false && includesNull(type)))
  );
}

type KeywordCheck = (value: unknown, isRoot: boolean) => boolean;

const isNumber: KeywordCheck = value => typeof value === 'number';
const isFlag: KeywordCheck = value => typeof value === 'boolean';
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every(name => typeof name === 'string');
/** A name for the schema, or a part of it, is read differently by each draft: only the root may have one. */
const isRootName: KeywordCheck = (value, isRoot) => isRoot && typeof value === 'string' && !value.includes('#');
const never: KeywordCheck = () => false;

const KEYWORDS: ReadonlyMap<string, KeywordCheck> = new Map(
  Object.entries<KeywordCheck>({
    pattern: isPattern,
    // A list of no values is refused, and so is a list with one twice by some.
    enum: value => Array.isArray(value) && value.length > 0,
    // Booleans in draft 4.
    exclusiveMinimum: isNumber,
    exclusiveMaximum: isNumber,
    uniqueItems: isFlag,
    minContains: isNumber,
    maxContains: isNumber,
    dependentRequired: value => isObject(value) && Object.values(value).every(isNames),
    // Of draft 4: a schema or a list of names for each.
    dependencies: value => isObject(value) && Object.values(value).every(isNames),
    $id: isRootName,
    $schema: value => typeof value === 'string',
    id: never,
    $anchor: never,
    $dynamicAnchor: never,
    $dynamicRef: never,
    $recursiveRef: never,
    $recursiveAnchor: never,
    contentSchema: never,
  }),
);

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function includesNull(type: unknown): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}
