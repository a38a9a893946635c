/** One type for each schema, and null in the words that are understood. */
import { isObject } from '../../../base/json/is-object.ts';
import type { Step, Work } from '../adapt.ts';
import type { Place } from '../change.ts';
import { type JsonSchema, KEYWORDS_OF, TYPE_OF, without } from '../json-schema.ts';

/** Type lists and null, where they have to be told otherwise. */
export const settleTypes: Step = (node, work, at) => {
  const listed = Array.isArray(node.type) && work.rules.type_lists === false ? withoutList(node, work, at) : node;
  return work.rules.null === 'nullable' ? withoutNull(listed, work, at) : listed;
};

/** Where every schema names its type: it is added, and what belongs to another type goes. */
export const typed: Step = (node, work, at) => {
  if (!work.rules.typed || node.anyOf !== undefined) return node;
  const { type } = node;
  if (typeof type === 'string') return onlyOf(type, node, work, at);
  const guess = typeFrom(node);
  if (guess === undefined) return { ...anyValue(work, at), ...without(node, 'type') };
  work.changes.add(at, 'type-added', guess);
  return onlyOf(guess, { ...node, type: guess }, work, at);
};

/** Something that may be anything, where a type has to be named. */
export function anyValue(work: Work, at: Place | undefined): JsonSchema {
  work.changes.add(at, 'type-guessed');
  if (!work.allows('anyOf')) return { type: 'string' };
  return { anyOf: ['string', 'number', 'boolean', 'object'].map(type => ({ type })) };
}

function withoutList(node: JsonSchema, { changes, rules }: Work, at: Place | undefined): JsonSchema {
  const types = [...new Set(node.type as string[])];
  const nullable = types.includes('null') && types.length > 1;
  const others = nullable ? types.filter(type => type !== 'null') : types;
  const rest = without(node, 'type');
  if (nullable) changes.add(at, 'null-rewritten');
  const asNull = nullable && rules.null === 'nullable' ? { nullable: true } : {};
  const alternatives = nullable && rules.null !== 'nullable' ? [...others, 'null'] : others;
  if (alternatives.length === 1) return { ...rest, type: alternatives[0], ...asNull };
  // Alternatives that are told already say more than a list of types.
  if (node.anyOf !== undefined) return { ...rest, ...asNull };
  changes.add(at, 'type-split', types.join(', '));
  const { shared, own } = bySchemaType(rest, alternatives);
  return { ...shared, ...asNull, anyOf: alternatives.map(type => ({ type, ...own(type) })) };
}

/** What is said about values of each type, apart from what is said about all. */
function bySchemaType(node: JsonSchema, types: readonly string[]) {
  const belongs = (key: string, type: string): boolean => TYPE_OF.get(key) === asGroup(type);
  const isOwn = (key: string): boolean => key === 'enum' || TYPE_OF.has(key);
  const pick = (test: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(node).filter(([key]) => test(key)));
  const values = Array.isArray(node.enum) ? node.enum : undefined;
  const ownValues = (type: string) => values?.filter(value => fitsType(value, type));
  return {
    shared: pick(key => !isOwn(key)),
    own: (type: string): JsonSchema => {
      const choice = ownValues(type);
      const some = choice && choice.length > 0 && types.length > 0 ? { enum: choice } : {};
      return { ...pick(key => belongs(key, type)), ...some };
    },
  };
}

/** null as an alternative, as the only type, or as one of the values. */
function withoutNull(node: JsonSchema, { changes }: Work, at: Place | undefined): JsonSchema {
  let plain = node;
  const nullable = (): void => {
    plain = { ...plain, nullable: true };
    changes.add(at, 'null-rewritten');
  };
  if (Array.isArray(plain.anyOf) && plain.anyOf.some(isNull)) {
    const others = plain.anyOf.filter(branch => !isNull(branch));
    const rest = without(plain, 'anyOf');
    plain = others.length === 0 ? { ...rest, type: 'string' } : { ...rest, anyOf: others };
    if (others.length === 1 && isObject(others[0])) plain = { ...others[0], ...rest };
    nullable();
  }
  if (plain.type === 'null') {
    plain = { ...plain, type: 'string' };
    nullable();
  }
  if (Array.isArray(plain.enum) && plain.enum.includes(null)) {
    plain = { ...plain, enum: plain.enum.filter(value => value !== null) };
    nullable();
  }
  return plain;
}

function isNull(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, const: only, enum: values } = schema;
  const none = only === null || (Array.isArray(values) && values.length > 0 && values.every(value => value === null));
  return type === 'null' || none;
}

const NUMERIC_FORMATS = ['int32', 'int64', 'float', 'double'];

function onlyOf(type: string, node: JsonSchema, { changes }: Work, at: Place | undefined): JsonSchema {
  const group = asGroup(type);
  let gone: string[] | undefined;
  for (const key in node) {
    const about = key === 'format' ? formatGroup(node.format, group) : TYPE_OF.get(key);
    if (about === undefined || about === group) continue;
    gone ??= [];
    gone.push(key);
  }
  if (!gone) return node;
  changes.add(at, 'keyword-spared', gone.join(', '));
  return without(node, ...gone);
}

/** Formats of numbers are about numbers; any other may be about anything but numbers. */
function formatGroup(format: unknown, group: string): string {
  return NUMERIC_FORMATS.includes(format as string) ? 'number' : group === 'number' ? 'string' : group;
}

function typeFrom(node: JsonSchema): string | undefined {
  const group = Object.keys(KEYWORDS_OF).find(type => KEYWORDS_OF[type]?.some(key => node[key] !== undefined));
  if (group !== undefined) return group;
  if (typeof node.format === 'string') return NUMERIC_FORMATS.includes(node.format) ? 'number' : 'string';
  const values = Array.isArray(node.enum) && node.enum.length > 0 ? node.enum : undefined;
  return ['string', 'integer', 'number', 'boolean'].find(type => values?.every(value => fitsType(value, type)));
}

function fitsType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return typeof value === type;
}

function asGroup(type: string): string {
  return type === 'integer' ? 'number' : type;
}
