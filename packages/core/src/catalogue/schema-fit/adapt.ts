/**
 * Adapts a schema to the subset of JSON Schema that somebody understands, node by node: first what a node says is put in
 * other words, then what stands inside it is adapted, then what is left and not understood goes. A node that needs nothing is
 * returned as it is.
 */
import { isObject } from '../../base/json/is-object.ts';
import type { SchemaRules } from '../../config/schema/profile-schema.ts';
import { characterSet, spellingOf } from '../naming/name-rule.ts';
import { below, type Changes, type Place } from './change.ts';
import { type JsonSchema, mapChildren } from './json-schema.ts';
import { type Quietness, quietness } from './quiet.ts';
import { aloneAlternatives, settleAlternatives } from './steps/alternatives.ts';
import { settleChoices } from './steps/choices.ts';
import { knownKeywords, withoutSpared } from './steps/keywords.ts';
import { settleLists } from './steps/lists.ts';
import { plainNumbers } from './steps/numbers.ts';
import { settleObjects } from './steps/objects.ts';
import { anyValue, settleTypes, typed } from './steps/types.ts';

/** What every step is told. */
export interface Work {
  readonly rules: SchemaRules;
  readonly changes: Changes;
  /** Whether a keyword is understood. */
  allows(keyword: string): boolean;
  /** Whether a property may be called so. */
  namesProperty(name: string): boolean;
}

/** One step: the same node where it had nothing to do. */
export type Step = (node: JsonSchema, work: Work, at: Place | undefined) => JsonSchema;

const STEPS: readonly Step[] = [
  plainNumbers,
  settleAlternatives,
  settleTypes,
  settleChoices,
  typed,
  settleLists,
  settleObjects,
];

export function adapt(root: JsonSchema, rules: SchemaRules, changes: Changes): JsonSchema {
  const { allows, namesProperty } = understanding(rules);
  return adaptNode(root, { rules, changes, allows, namesProperty }, undefined, 0);
}

type Understanding = Pick<Work, 'allows' | 'namesProperty'>;

/** Worked out once for the rules of a profile: a catalogue has ten thousand schemas and few profiles. */
const UNDERSTOOD = new WeakMap<SchemaRules, Understanding>();

function understanding(rules: SchemaRules): Understanding {
  let known = UNDERSTOOD.get(rules);
  if (!known) {
    const allowed = rules.keywords && new Set(rules.keywords);
    known = {
      allows: allowed ? keyword => allowed.has(keyword) : () => true,
      namesProperty: spelling(rules.property_names),
    };
    UNDERSTOOD.set(rules, known);
  }
  return known;
}

function spelling(names: SchemaRules['property_names']): (name: string) => boolean {
  if (!names) return () => true;
  const { characters = '', first = characters, max_length = Number.POSITIVE_INFINITY } = names;
  const pattern = spellingOf(characterSet(first), characterSet(characters));
  return name => name.length <= max_length && pattern.test(name);
}

function adaptNode(
  schema: unknown,
  work: Work,
  at: Place | undefined,
  depth: number,
  known?: Quietness | undefined,
): JsonSchema {
  const { rules, changes } = work;
  if (!isObject(schema)) return rules.typed ? anyValue(work, at) : (schema as JsonSchema);
  let node: JsonSchema = schema;
  const tooDeep = rules.max_depth !== undefined && depth >= rules.max_depth;
  if (tooDeep) node = withoutDetails(node, changes, at);
  const quiet = (tooDeep ? undefined : known) ?? quietness(node, work, at === undefined);
  if (quiet === 'leaf') return node;
  if (quiet === 'no') node = settled(node, work, at);
  node = mapChildren(node, (child, key, name) => {
    // What is left out in the end need not be adapted.
    if (!work.allows(key)) return child;
    const ofChild = isObject(child) ? quietness(child, work, false) : undefined;
    return ofChild === 'leaf' ? child : adaptNode(child, work, below(at, key, name), depth + 1, ofChild);
  });
  if (quiet === 'quiet') return node;
  if (quiet === 'trim') return withoutSpared(node, work, at);
  const whole = aloneAlternatives(node, work, at);
  // Alternatives that turned out to be one were not yet looked at together with what stood beside them.
  const merged = whole.anyOf === undefined && node.anyOf !== undefined ? settled(whole, work, at) : whole;
  return knownKeywords(merged, work, at);
}

/** A step may leave something for one before it: as often as anything changes, and not for ever. */
function settled(node: JsonSchema, work: Work, at: Place | undefined): JsonSchema {
  let now = node;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = now;
    for (const step of STEPS) now = step(now, work, at);
    if (now === before) break;
  }
  return now;
}

const MOST_ROUNDS = 4;

const DETAILS = ['properties', 'required', 'items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'];

/** The deepest level there may be: what it is, and not what is in it. */
function withoutDetails(node: JsonSchema, changes: Changes, at: Place | undefined): JsonSchema {
  if (!DETAILS.some(key => isObject(node[key]) || (Array.isArray(node[key]) && key !== 'required'))) return node;
  changes.add(at, 'depth-cut');
  const kept = Object.entries(node).filter(([key]) => !DETAILS.includes(key));
  return Object.fromEntries(kept);
}
