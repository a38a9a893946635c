/**
 * Whether a node says nothing that any step of the adaptation would change. Nearly every node of nearly every schema does,
 * and telling so in one look at its keys takes a tenth of the time of asking each step. Where it is not sure it says no: then
 * the steps decide.
 */
import { isObject } from '../../base/json/is-object.ts';
import type { Work } from './adapt.ts';
import { holdsSchemas, type JsonSchema, TYPE_OF } from './json-schema.ts';
import { isSparable } from './steps/keywords.ts';

/** `leaf`: there is nothing inside it either. `trim`: but for words that say nothing there. */
export type Quietness = 'leaf' | 'quiet' | 'trim' | 'no';

const PLAIN_TEXTS = new Set(['title', 'description', 'default', 'example', 'examples', '$schema', '$comment', '$id']);
/** Where the meaning hangs on more than the word itself. */
const INTRICATE = new Set(['anyOf', 'oneOf', 'allOf', 'const', 'nullable', '$ref', 'prefixItems', 'additionalItems']);

export function quietness(node: JsonSchema, { rules, allows, namesProperty }: Work, isRoot: boolean): Quietness {
  const { type } = node;
  if (typeof type !== 'string') return 'no';
  const group = type === 'integer' ? 'number' : type;
  let isLeaf = true;
  let isTrimmed = false;
  for (const key in node) {
    if (key === 'type') continue;
    if (!allows(key)) {
      if (!isSparable(key, node)) return 'no';
      isTrimmed = true;
      continue;
    }
    if (PLAIN_TEXTS.has(key)) continue;
    if (INTRICATE.has(key)) return 'no';
    const value = node[key];
    if (isLeaf && holdsSchemas(key, value)) isLeaf = false;
    if (key === 'properties') {
      if (!isObject(value) || !quietProperties(value, rules.typed === true)) return 'no';
      const named = rules.property_names && (isRoot || rules.property_names_at !== 'root');
      if (named) for (const name in value) if (!namesProperty(name)) return 'no';
    } else if (key === 'required') {
      if (rules.typed && !allDescribed(value, node.properties)) return 'no';
    } else if (key === 'enum') {
      if (!Array.isArray(value) || value.length === 0) return 'no';
      if (rules.enums === 'strings' && !(type === 'string' && areTexts(value))) return 'no';
    } else if (key === 'format') {
      if (rules.formats || rules.typed) return 'no';
    } else if (typeof value === 'boolean' && key.startsWith('exclusive')) return 'no';
    else if (key === 'items' && !isObject(value)) return 'no';
    if (rules.typed && (TYPE_OF.get(key) ?? group) !== group) return 'no';
  }
  if (type === 'null' && rules.null === 'nullable') return 'no';
  if (type === 'array' && rules.items_required && node.items === undefined) return 'no';
  return isTrimmed ? 'trim' : isLeaf ? 'leaf' : 'quiet';
}

function quietProperties(properties: JsonSchema, typed: boolean): boolean {
  if (!typed) return true;
  let some = false;
  for (const name in properties) {
    if (properties[name] === false) return false;
    some = true;
  }
  return some;
}

function allDescribed(required: unknown, properties: unknown): boolean {
  if (!Array.isArray(required) || required.length === 0 || !isObject(properties)) return false;
  return required.every(name => Object.hasOwn(properties, name)) && areDifferent(required);
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every(value => typeof value === 'string' && value !== '') && areDifferent(values);
}

/** Most lists are short: a set for each would cost more than looking. */
function areDifferent(values: readonly unknown[]): boolean {
  if (values.length > 8) return new Set(values).size === values.length;
  return values.every((value, index) => values.indexOf(value) === index);
}
