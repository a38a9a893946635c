/**
 * Whether something is a JSON Schema at all: of draft 2020-12, or of the older drafts that servers still write. One walk
 * that also finds what else has to be looked at, so that the many schemas without a fault cost nothing more.
 */
import { isObject } from '../../base/json/is-object.ts';
import { hidesSomething } from '../untrusted/clean-text.ts';
import { cleanValues } from '../untrusted/clean-values.ts';
import { type JsonSchema, ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS, TYPES } from './json-schema.ts';
import { jsonOf, LONGEST_TEXT } from './limits.ts';

export interface Inspection {
  /** What is wrong with it, where something is. */
  readonly problem: string | undefined;
  /** Texts in it have to be cleaned or cut. */
  readonly unclean: boolean;
  /** There are references, or definitions for them. */
  readonly references: boolean;
  /** About how many characters it has as JSON: never fewer than half of them, where nothing has to be cleaned. */
  readonly size: number;
}

/** Deeper than any schema a person writes. */
const MAX_DEPTH = 100;

export function inspect(schema: unknown): Inspection {
  const walk = new Walk();
  walk.problem = isObject(schema) ? (walk.visit(schema, 0) ?? rootProblem(schema)) : 'it is not an object';
  return walk;
}

/** Arguments of a tool are an object. */
function rootProblem({ type }: JsonSchema): string | undefined {
  const fits = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  return fits ? undefined : `its type is ${JSON.stringify(type)}, and arguments are always an object`;
}

/** What JSON puts around a name or a value. */
const AROUND = 6;

class Walk implements Inspection {
  problem: string | undefined;
  unclean = false;
  references = false;
  size = 0;

  /** The first thing that is wrong. */
  visit(node: unknown, depth: number): string | undefined {
    if (typeof node === 'boolean') return undefined;
    if (!isObject(node)) return 'a schema in it is neither an object nor a boolean';
    if (depth > MAX_DEPTH) return `it is more than ${MAX_DEPTH} levels deep`;
    for (const key in node) {
      const value = node[key];
      if (value === undefined) continue;
      this.size += key.length + AROUND;
      if (typeof value === 'string' && key !== 'type') this.text(value);
      const check = CHECKS.get(key);
      if (check === undefined) {
        this.text(key);
        this.value(value);
        continue;
      }
      const problem = check(value, this, depth);
      if (problem !== undefined) return problem === '' ? `its ${key} is not what ${key} has to be` : problem;
    }
    return undefined;
  }

  text(text: string): void {
    this.size += text.length + AROUND;
    if (!this.unclean && hidesSomething(text)) this.unclean = true;
  }

  /** Anything at all. */
  value(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if (cleanValues(value) !== value) this.unclean = true;
    this.size += jsonOf(value)?.length ?? Number.POSITIVE_INFINITY;
  }
}

/** Undefined where it is right; empty where the keyword itself is wrong; else a sentence from further inside. */
type Check = (value: unknown, walk: Walk, depth: number) => string | undefined;

const wrong = '';
const whether =
  (test: (value: unknown) => boolean): Check =>
  value =>
    test(value) ? undefined : wrong;
const number = whether(value => typeof value === 'number');
const size = whether(value => Number.isInteger(value) && (value as number) >= 0);
const text: Check = (value, walk) => {
  if (typeof value !== 'string') return wrong;
  if (value.length > LONGEST_TEXT) walk.unclean = true;
  return undefined;
};
const isType = (value: unknown): boolean => typeof value === 'string' && TYPES.has(value);
const isText = (value: unknown): boolean => typeof value === 'string';

const oneSchema: Check = (value, walk, depth) => walk.visit(value, depth + 1);

const schemaList: Check = (value, walk, depth) => {
  if (!Array.isArray(value) || value.length === 0) return wrong;
  return firstProblem(value, one => walk.visit(one, depth + 1));
};

const schemaMap: Check = (value, walk, depth) => {
  if (!isObject(value)) return wrong;
  for (const name in value) {
    walk.text(name);
    const problem = walk.visit(value[name], depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const definitions: Check = (value, walk, depth) => {
  walk.references = true;
  return schemaMap(value, walk, depth);
};

const CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries<Check>({
    type: whether(value => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType))),
    ...Object.fromEntries(ONE_SCHEMA.map(key => [key, oneSchema])),
    // Lists of schemas, one for each place, as drafts before 2020-12 had them.
    items: ((value, walk, depth) =>
      Array.isArray(value)
        ? firstProblem(value, one => walk.visit(one, depth + 1))
        : oneSchema(value, walk, depth)) as Check,
    ...Object.fromEntries(SCHEMA_LISTS.map(key => [key, schemaList])),
    ...Object.fromEntries(SCHEMA_MAPS.map(key => [key, schemaMap])),
    ...Object.fromEntries(['$defs', 'definitions'].map(key => [key, definitions])),
    required: ((value, walk) => {
      if (!Array.isArray(value) || !value.every(isText)) return wrong;
      for (const name of value) walk.text(name as string);
      return undefined;
    }) as Check,
    enum: ((value, walk) => {
      if (!Array.isArray(value)) return wrong;
      for (const one of value)
        if (typeof one === 'string') walk.text(one);
        else walk.value(one);
      return undefined;
    }) as Check,
    $ref: ((value, walk) => {
      if (typeof value !== 'string') return wrong;
      walk.references = true;
      return undefined;
    }) as Check,
    title: text,
    description: text,
    $comment: text,
    pattern: whether(isText),
    format: whether(isText),
    ...Object.fromEntries(['minimum', 'maximum', 'multipleOf'].map(key => [key, number])),
    // A boolean in draft 4, a number since.
    ...Object.fromEntries(
      ['exclusiveMinimum', 'exclusiveMaximum'].map(key => [
        key,
        whether(value => typeof value === 'number' || typeof value === 'boolean'),
      ]),
    ),
    ...Object.fromEntries(
      ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(key => [key, size]),
    ),
  }),
);

function firstProblem(list: readonly unknown[], check: (one: unknown) => string | undefined): string | undefined {
  for (const one of list) {
    const problem = check(one);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
