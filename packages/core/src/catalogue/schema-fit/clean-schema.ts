/** The texts of a schema, cleaned: what a model reads is what a person would see. */
import { isObject } from '../../base/json/is-object.ts';
import { cleanAndCut, hidesSomething } from '../untrusted/clean-text.ts';
import { cleanValues } from '../untrusted/clean-values.ts';
import { below, type Changes, type Place } from './change.ts';
import { type JsonSchema, mapChildren, ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS, without } from './json-schema.ts';
import { LONGEST_TEXT } from './limits.ts';

/** Texts for reading are cleaned. Names and values go as they are or not at all: another one would not be the server's. */
export function cleanSchema(schema: unknown, changes: Changes, at?: Place): unknown {
  if (!isObject(schema)) return schema;
  const node = cleanNode(schema, changes, at);
  return mapChildren(node, (child, key, name) => cleanSchema(child, changes, below(at, key, name)));
}

const TEXTS = new Set(['title', 'description', '$comment']);
const SCHEMAS = new Set([...ONE_SCHEMA, ...SCHEMA_LISTS]);
const MAPS = new Set(SCHEMA_MAPS);
const LISTS = new Set(['enum', 'required', 'examples']);

function cleanNode(schema: JsonSchema, changes: Changes, at: Place | undefined): JsonSchema {
  let node = schema;
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    const clean = hidesSomething(key) ? undefined : cleanKeyword(key, value);
    if (clean === value) continue;
    changes.add(at, TEXTS.has(key) ? 'text-cleaned' : 'hidden-dropped', hidesSomething(key) ? undefined : key);
    node = clean === undefined ? without(node, key) : { ...node, [key]: clean };
  }
  return node;
}

/** Undefined where nothing of it may stay. */
function cleanKeyword(key: string, value: unknown): unknown {
  if (typeof value === 'string' && TEXTS.has(key)) return cleanedText(value);
  if (MAPS.has(key) && isObject(value)) return withoutHiddenNames(value);
  if (LISTS.has(key) && Array.isArray(value)) return withoutHiddenValues(value);
  return SCHEMAS.has(key) || !hides(value) ? value : undefined;
}

function cleanedText(text: string): string {
  return text.length > LONGEST_TEXT || hidesSomething(text) ? cleanAndCut(text, LONGEST_TEXT) : text;
}

function withoutHiddenNames(map: Record<string, unknown>): Record<string, unknown> {
  const hidden = Object.keys(map).filter(hidesSomething);
  return hidden.length === 0 ? map : without(map, ...hidden);
}

function withoutHiddenValues(list: readonly unknown[]): readonly unknown[] {
  return list.some(hides) ? list.filter(value => !hides(value)) : list;
}

function hides(value: unknown): boolean {
  return cleanValues(value) !== value;
}
