/** Alternatives and conditions at the root, which most providers refuse, told as one object. */
import { isObject } from '../../base/json/is-object.ts';
import type { Changes } from './change.ts';
import { type JsonSchema, without } from './json-schema.ts';
import { both, oneOfThem, texts } from './merge.ts';
import { note } from './note.ts';
import { resolveReference } from './references.ts';

const ALTERNATIVES = ['anyOf', 'oneOf'] as const;
const CONDITIONS = ['not', 'enum', 'const', 'if', 'then', 'else'] as const;

/** A root inside a root inside a root …: nobody writes that. */
const MAX_LEVELS = 4;

const TO_FLATTEN: ReadonlySet<string> = new Set([...ALTERNATIVES, ...CONDITIONS, 'allOf', '$ref']);

export function flattenRoot(root: JsonSchema, changes: Changes): JsonSchema {
  return isFlat(root) ? root : flattened(root, changes);
}

function isFlat(root: JsonSchema): boolean {
  for (const key in root) if (TO_FLATTEN.has(key)) return false;
  return root.type === 'object';
}

function flattened(root: JsonSchema, changes: Changes): JsonSchema {
  let flat = flatten(root, root, 0);
  if (flat !== root) changes.add(undefined, 'root-merged');
  for (const key of CONDITIONS) {
    if (flat[key] === undefined) continue;
    flat = without(flat, key);
    changes.add(undefined, 'root-dropped', key);
  }
  return flat.type === 'object' ? flat : { ...flat, type: 'object' };
}

function flatten(schema: JsonSchema, root: JsonSchema, level: number): JsonSchema {
  if (level > MAX_LEVELS) return without(schema, ...ALTERNATIVES, 'allOf');
  let flat = followed(schema, root);
  const branchesOf = (key: string): JsonSchema[] => {
    const list = Array.isArray(flat[key]) ? (flat[key] as unknown[]) : [];
    return list.filter(isObject).map(branch => flatten(branch, root, level + 1));
  };
  if (flat.allOf !== undefined) {
    const parts = branchesOf('allOf').filter(isAboutObjects);
    flat = parts.reduce<JsonSchema>((whole, part) => both(whole, part), without(flat, 'allOf'));
  }
  for (const key of ALTERNATIVES) {
    if (flat[key] === undefined) continue;
    const branches = branchesOf(key).filter(isAboutObjects);
    flat = without(flat, key);
    if (branches.length > 0) flat = note(both(flat, oneOfThem(branches)), needs(branches, texts(flat.required)));
  }
  return flat;
}

/** A root that is only a name for another schema is that schema, and so on; a name for itself says nothing. */
function followed(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let whole = schema;
  const seen = new Set<unknown>([root]);
  while (typeof whole.$ref === 'string') {
    const target = resolveReference(root, whole.$ref);
    const beside = without(whole, '$ref');
    whole = isObject(target) && !seen.has(target) ? both(beside, target) : beside;
    seen.add(target);
  }
  return whole;
}

function isAboutObjects({ type }: JsonSchema): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

const MOST_SETS = 6;

/** What the alternatives asked for, for the model to read. */
function needs(branches: readonly JsonSchema[], always: readonly string[]): string | undefined {
  const sets = branches.map(branch => texts(branch.required).filter(name => !always.includes(name)));
  const different = [...new Set(sets.map(set => set.join(' and ')))];
  if (different.length < 2 || different.length > MOST_SETS) return undefined;
  return `Needs one of these: ${different.map(set => set || 'nothing more').join('; or ')}.`;
}
