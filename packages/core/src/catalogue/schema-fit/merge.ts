/** Puts schemas together that hold at once, or of which one holds, as far as one object can say both. */

import { canonicalJson } from '../../base/json/canonical-json.ts';
import { isObject } from '../../base/json/is-object.ts';
import type { JsonSchema } from './json-schema.ts';
import { joined } from './note.ts';

/** Both hold: properties of both, required in either. Where both say something else about one thing, the first counts. */
export function both(first: JsonSchema, second: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...second, ...first };
  if (isObject(first.properties) && isObject(second.properties)) {
    const properties: Record<string, unknown> = { ...second.properties, ...first.properties };
    for (const name of Object.keys(first.properties)) {
      const [one, other] = [first.properties[name], second.properties[name]];
      if (isObject(one) && isObject(other)) properties[name] = both(one, other);
    }
    merged.properties = properties;
  }
  const required = [...texts(first.required), ...texts(second.required)];
  if (required.length > 0) merged.required = [...new Set(required)];
  const types = commonTypes(first.type, second.type);
  if (types !== undefined) merged.type = types;
  if (typeof first.description === 'string' && typeof second.description === 'string') {
    const { description } = second;
    merged.description = first.description.includes(description)
      ? first.description
      : joined(first.description, description);
  }
  return merged;
}

/** One of them holds: every property of any, required what all require. */
export function oneOfThem(branches: readonly JsonSchema[]): JsonSchema {
  const described = new Map<string, unknown[]>();
  for (const { properties } of branches) {
    if (!isObject(properties)) continue;
    for (const [name, schema] of Object.entries(properties))
      described.set(name, [...(described.get(name) ?? []), schema]);
  }
  const required = branches
    .map(branch => texts(branch.required))
    .reduce((all, next) => all.filter(one => next.includes(one)));
  return {
    ...(described.size > 0
      ? { properties: Object.fromEntries([...described].map(([name, schemas]) => [name, alternatives(schemas)])) }
      : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** One schema for several: a choice of texts where all are texts, else any of them. */
export function alternatives(schemas: readonly unknown[]): unknown {
  const different = [...new Map(schemas.map(schema => [canonicalJson(schema), schema])).values()];
  if (different.length === 1) return different[0];
  const choices = different.map(choiceOf);
  if (choices.every(choice => choice !== undefined)) {
    const description = different.map(one => (one as JsonSchema).description).find(one => typeof one === 'string');
    const values = [...new Set(choices.flat())];
    return { type: 'string', enum: values, ...(description === undefined ? {} : { description }) };
  }
  return { anyOf: different };
}

function choiceOf(schema: unknown): readonly string[] | undefined {
  if (!isObject(schema)) return undefined;
  const { type, enum: values, const: only } = schema;
  if (type !== undefined && type !== 'string') return undefined;
  if (typeof only === 'string') return [only];
  return Array.isArray(values) && values.length > 0 && values.every(value => typeof value === 'string')
    ? values
    : undefined;
}

function commonTypes(first: unknown, second: unknown): unknown {
  if (first === undefined || second === undefined) return first ?? second;
  const listed = (types: unknown): unknown[] => (Array.isArray(types) ? types : [types]);
  const shared = listed(first).filter(type => listed(second).includes(type));
  return shared.length === 0 ? first : shared.length === 1 ? shared[0] : shared;
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
}
