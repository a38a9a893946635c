/** Arrays: a schema for their items, told the way that is understood. */
import { isObject } from '../../../base/json/is-object.ts';
import type { Step, Work } from '../adapt.ts';
import type { Place } from '../change.ts';
import { type JsonSchema, without } from '../json-schema.ts';
import { alternatives } from '../merge.ts';
import { anyValue } from './types.ts';

export const settleLists: Step = (node, work, at) => withItems(withoutTuple(node, work, at), work, at);

/** A schema for each place: `items` as a list in older drafts, `prefixItems` since 2020-12. */
function withoutTuple(
  node: JsonSchema,
  { rules: { tuples = 'any' }, changes }: Work,
  at: Place | undefined,
): JsonSchema {
  const old = Array.isArray(node.items);
  if (tuples === 'any' || (!old && (node.prefixItems === undefined || tuples === 'prefix'))) return node;
  changes.add(at, tuples === 'prefix' ? 'keyword-rewritten' : 'tuple-rewritten', old ? 'items' : 'prefixItems');
  const places = (old ? node.items : node.prefixItems) as unknown[];
  const rest = old ? node.additionalItems : node.items;
  const bare = without(node, 'items', 'prefixItems', 'additionalItems');
  if (tuples === 'prefix') {
    const further = rest === undefined ? {} : { items: rest };
    return places.length === 0 ? { ...bare, ...further } : { ...bare, prefixItems: places, ...further };
  }
  const described = [...places, rest].filter(isObject);
  return described.length === 0 ? bare : { ...bare, items: alternatives(described) };
}

function withItems(node: JsonSchema, work: Work, at: Place | undefined): JsonSchema {
  const isList = node.type === 'array' || (Array.isArray(node.type) && node.type.includes('array'));
  if (!work.rules.items_required || !isList || isObject(node.items)) return node;
  work.changes.add(at, 'items-added');
  return { ...node, items: work.rules.typed ? anyValue(work, at) : {} };
}
