/** What is not understood goes; what matters of it is told in words. */
import { isObject } from '../../../base/json/is-object.ts';
import type { Step, Work } from '../adapt.ts';
import type { Place } from '../change.ts';
import { define, type JsonSchema, without } from '../json-schema.ts';
import { note } from '../note.ts';

export const knownKeywords: Step = (node, work, at) => {
  const formatted = withKnownFormat(node, work, at);
  if (!work.rules.keywords) return formatted;
  const known = withoutSpared(formatted, work, at);
  let plain = known;
  for (const key in known) {
    if (work.allows(key)) continue;
    plain = (REWRITTEN.get(key) ?? leftOut)(plain, key, work, at);
  }
  return plain;
};

/** Whether a keyword can go without the model being told less. */
export function isSparable(key: string, node: JsonSchema): boolean {
  if (HARMLESS.has(key)) return true;
  const { additionalProperties: further } = node;
  return key === 'additionalProperties' && (further === false || (further === true && node.properties !== undefined));
}

/** Leaves out what says nothing there. All at once: nearly every schema has some. */
export function withoutSpared(node: JsonSchema, { allows, changes }: Work, at: Place | undefined): JsonSchema {
  const rest: Record<string, unknown> = {};
  let spared: string | undefined;
  for (const key in node) {
    if (allows(key) || !isSparable(key, node)) define(rest, key, node[key]);
    else spared = spared === undefined ? key : `${spared}, ${key}`;
  }
  if (spared === undefined) return node;
  changes.add(at, 'keyword-spared', spared);
  return rest;
}

type Rewrite = (node: JsonSchema, key: string, work: Work, at: Place | undefined) => JsonSchema;

/** Words that say nothing a model needs. */
const HARMLESS = new Set([
  ...['$schema', '$id', 'id', '$comment', '$anchor', '$vocabulary', 'title', 'examples', 'example', 'deprecated'],
  ...[
    'readOnly',
    'writeOnly',
    'unevaluatedProperties',
    'unevaluatedItems',
    'additionalItems',
    'propertyNames',
    'default',
  ],
]);

const leftOut: Rewrite = (node, key, { changes }, at) => {
  changes.add(at, 'keyword-dropped', key);
  return without(node, key);
};

/** The bound that is itself outside: for whole numbers there is a next one. */
function exclusive(bound: 'minimum' | 'maximum', step: 1 | -1, word: string): Rewrite {
  return (node, key, work, at) => {
    const value = node[key];
    const rest = without(node, key);
    if (typeof value !== 'number' || !work.allows(bound) || rest[bound] !== undefined)
      return leftOut(node, key, work, at);
    work.changes.add(at, 'keyword-rewritten', key);
    if (rest.type === 'integer') return { ...rest, [bound]: step > 0 ? Math.floor(value) + 1 : Math.ceil(value) - 1 };
    return note({ ...rest, [bound]: value }, `${word} ${value}.`);
  };
}

/** Properties by any name: told in words. */
const furtherProperties: Rewrite = (node, key, { changes }, at) => {
  const { additionalProperties: further } = node;
  changes.add(at, 'keyword-dropped', key);
  const { type } = isObject(further) ? further : {};
  return note(without(node, key), `Takes any keys${typeof type === 'string' ? `; each value: ${type}` : ''}.`);
};

const REWRITTEN: ReadonlyMap<string, Rewrite> = new Map([
  ['exclusiveMinimum', exclusive('minimum', 1, 'Above')],
  ['exclusiveMaximum', exclusive('maximum', -1, 'Below')],
  ['additionalProperties', furtherProperties],
]);

/** Longer ones are no names of formats. */
const LONGEST_FORMAT = 30;

function withKnownFormat(node: JsonSchema, { rules: { formats }, changes }: Work, at: Place | undefined): JsonSchema {
  const { format } = node;
  if (!formats || typeof format !== 'string' || formats.includes(format)) return node;
  const tellable = format.length < LONGEST_FORMAT;
  changes.add(at, tellable ? 'keyword-rewritten' : 'keyword-dropped', tellable ? `format ${format}` : 'format');
  return note(without(node, 'format'), tellable ? `Format: ${format}.` : undefined);
}
