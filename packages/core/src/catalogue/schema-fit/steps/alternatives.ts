/** anyOf, oneOf and allOf: in the words that are understood, and alone where they have to be. */

import { canonicalJson } from '../../../base/json/canonical-json.ts';
import { isObject } from '../../../base/json/is-object.ts';
import type { Step, Work } from '../adapt.ts';
import type { Place } from '../change.ts';
import { type JsonSchema, without } from '../json-schema.ts';
import { both, oneOfThem } from '../merge.ts';
import { joined, note } from '../note.ts';

/** Before anything else is looked at: parts that hold together become one, oneOf becomes anyOf. */
export const settleAlternatives: Step = (node, work, at) => {
  let settled = node;
  if (settled.allOf !== undefined && !work.allows('allOf')) settled = together(settled, work, at);
  if (settled.oneOf !== undefined && !work.allows('oneOf')) {
    const anyOf = [...branchesOf(settled, 'anyOf'), ...branchesOf(settled, 'oneOf')];
    settled = { ...without(settled, 'oneOf'), anyOf };
    work.changes.add(at, 'keyword-rewritten', 'oneOf');
  }
  if (settled.anyOf === undefined) return settled;
  if (!work.allows('anyOf')) return firstOf(settled, work, at);
  return work.rules.any_of === 'alone' ? apart(settled, work, at) : settled;
};

/** After what is inside was adapted: alternatives that became the same are one, and nothing stands beside them. */
export const aloneAlternatives: Step = (node, { rules, changes }, at) => {
  if (!Array.isArray(node.anyOf) || rules.any_of !== 'alone') return node;
  const { anyOf, ...beside } = node;
  const [first = {}, ...others] = different(flat(anyOf));
  if (others.length === 0) return both(beside, first);
  const extras = Object.keys(beside);
  if (extras.length === 0 && others.length + 1 === anyOf.length) return node;
  if (extras.length > 0) changes.add(at, 'alternatives-moved', extras.join(', '));
  const moved = different([withMoved(first, beside), ...others]);
  return moved.length === 1 ? (moved[0] as JsonSchema) : { anyOf: moved };
};

/** Alternatives of alternatives are alternatives. */
function flat(branches: readonly unknown[]): unknown[] {
  return branches.flatMap(branch => (isObject(branch) && Array.isArray(branch.anyOf) ? flat(branch.anyOf) : [branch]));
}

function different(schemas: readonly unknown[]): JsonSchema[] {
  return [...new Map(schemas.map(one => [canonicalJson(one), one as JsonSchema])).values()];
}

/** What was said of all is said of the first. */
function withMoved(first: JsonSchema, beside: JsonSchema): JsonSchema {
  const { description, nullable } = beside;
  const told =
    typeof description !== 'string'
      ? first
      : typeof first.description === 'string' && !description.includes(first.description)
        ? { ...first, description: joined(description, first.description) }
        : { ...first, description };
  return nullable === true ? { ...told, nullable } : told;
}

/** All parts hold: what they say about the same things is put together. */
function together(node: JsonSchema, { changes }: Work, at: Place | undefined): JsonSchema {
  changes.add(at, 'combined-merged');
  return branchesOf(node, 'allOf')
    .filter(isObject)
    .reduce<JsonSchema>((whole, part) => inOne(whole, part), without(node, 'allOf'));
}

function inOne(whole: JsonSchema, part: JsonSchema): JsonSchema {
  const { allOf } = part;
  const merged = both(whole, without(part, 'allOf'));
  return Array.isArray(allOf) ? allOf.filter(isObject).reduce<JsonSchema>(inOne, merged) : merged;
}

/** An object, or a value of one type, with alternatives beside it: one of the two has to go. */
function apart(node: JsonSchema, { changes }: Work, at: Place | undefined): JsonSchema {
  const isObjectSchema = node.type === 'object' || isObject(node.properties);
  if (!isObjectSchema && (node.type === undefined || Array.isArray(node.type))) return node;
  const branches = branchesOf(node, 'anyOf').filter(isObject);
  changes.add(at, 'combined-merged', 'anyOf');
  const rest = without(node, 'anyOf');
  if (!isObjectSchema || branches.length === 0) return rest;
  return both(rest, oneOfThem(branches));
}

/** Where alternatives cannot be told at all, the first that is not null stands for them. */
function firstOf(node: JsonSchema, { changes }: Work, at: Place | undefined): JsonSchema {
  const branches = branchesOf(node, 'anyOf').filter(isObject);
  const chosen = branches.find(({ type }) => type !== 'null');
  changes.add(at, 'keyword-dropped', 'anyOf');
  const rest = without(node, 'anyOf');
  const told = branches.length > 1 ? note(rest, 'Other kinds of values are taken too.') : rest;
  return chosen ? both(told, chosen) : told;
}

function branchesOf(node: JsonSchema, key: string): unknown[] {
  return Array.isArray(node[key]) ? (node[key] as unknown[]) : [];
}
