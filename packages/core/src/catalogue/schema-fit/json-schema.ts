/** What a JSON Schema is made of, and where in it further schemas stand. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The whole set of types; a schema that names another is none. */
export const TYPES: ReadonlySet<string> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);

/** Keywords whose value is one schema. `items` was a list of them in older drafts. */
export const ONE_SCHEMA: readonly string[] = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['additionalItems', 'unevaluatedItems', 'unevaluatedProperties'],
];

/** Keywords whose value is a list of schemas. */
export const SCHEMA_LISTS: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];

/** Keywords whose value holds schemas by name. */
export const SCHEMA_MAPS: readonly string[] = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
];

/** Keywords that say something about values of one type only. */
export const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  object: [
    ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties'],
    ...['maxProperties', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties'],
  ],
  array: [
    ...['items', 'prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains', 'minItems', 'maxItems'],
    ...['uniqueItems', 'unevaluatedItems'],
  ],
  string: ['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** The type that a keyword says something about; undefined where it is about any. */
export const TYPE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(KEYWORDS_OF).flatMap(([type, keys]) => keys.map(key => [key, type] as const)),
);

type ChangeChild = (child: unknown, key: string, name?: string) => unknown;

const ONE = 1;
const LIST = 2;
const MAP = 3;
const KINDS: ReadonlyMap<string, number> = new Map([
  ...ONE_SCHEMA.map(key => [key, ONE] as const),
  ...SCHEMA_LISTS.map(key => [key, LIST] as const),
  ...SCHEMA_MAPS.map(key => [key, MAP] as const),
]);

/** Whether schemas stand in the value of this keyword. */
export function holdsSchemas(key: string, value: unknown): boolean {
  return typeof value === 'object' && value !== null && KINDS.has(key);
}

/** Changes every schema that stands directly inside this one. The same schema where none was changed. */
export function mapChildren(schema: JsonSchema, change: ChangeChild): JsonSchema {
  let changed: Record<string, unknown> | undefined;
  for (const key in schema) {
    const before = schema[key];
    if (typeof before !== 'object' || before === null) continue;
    const kind = KINDS.get(key);
    if (kind === undefined) continue;
    const after = changedChild(before, kind, key, change);
    if (after === before) continue;
    changed ??= { ...schema };
    changed[key] = after;
  }
  return changed ?? schema;
}

function changedChild(value: object, kind: number, key: string, change: ChangeChild): unknown {
  // `items` is one schema, or in older drafts a list of them.
  if (Array.isArray(value)) return kind === LIST || key === 'items' ? changedList(value, key, change) : value;
  if (kind === MAP) return changedMap(value as Record<string, unknown>, key, change);
  return kind === ONE ? change(value, key) : value;
}

function changedMap(map: Record<string, unknown>, key: string, change: ChangeChild): Record<string, unknown> {
  let changed: Record<string, unknown> | undefined;
  for (const name in map) {
    const after = change(map[name], key, name);
    if (after === map[name]) continue;
    changed ??= { ...map };
    changed[name] = after;
  }
  return changed ?? map;
}

function changedList(list: readonly unknown[], key: string, change: ChangeChild): readonly unknown[] {
  const changed = list.map((child, index) => change(child, key, String(index)));
  return changed.every((child, index) => child === list[index]) ? list : changed;
}

/** Without these keywords. */
export function without(schema: JsonSchema, ...keys: readonly string[]): Record<string, unknown> {
  // Copied one by one: an object from which something was deleted is slow ever after.
  const rest: Record<string, unknown> = {};
  for (const key in schema) if (!keys.includes(key)) define(rest, key, schema[key]);
  return rest;
}

/** `__proto__` is a name like any other here. */
export function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
