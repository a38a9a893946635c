/** Objects: properties that can be named, and nothing required that is not described. */
import { isObject } from '../../../base/json/is-object.ts';
import { cutText } from '../../untrusted/clean-text.ts';
import type { Step, Work } from '../adapt.ts';
import type { Place } from '../change.ts';
import { type JsonSchema, without } from '../json-schema.ts';
import { texts } from '../merge.ts';
import { note } from '../note.ts';

export const settleObjects: Step = (node, work, at) => {
  const named = isObject(node.properties) ? withFittingNames(node, work, at) : node;
  return work.rules.typed ? onlyDescribed(named, work, at) : named;
};

/** What cannot be a property there is told in words: a model can still send it. */
function withFittingNames(
  node: JsonSchema,
  { rules, changes, namesProperty }: Work,
  at: Place | undefined,
): JsonSchema {
  const { property_names, property_names_at } = rules;
  if (!property_names || (property_names_at === 'root' && at !== undefined)) return node;
  const properties = node.properties as JsonSchema;
  const strange = Object.keys(properties).filter(name => !namesProperty(name));
  if (strange.length === 0) return node;
  changes.add(at, 'property-moved', strange.map(name => cutText(name, LONGEST_SHOWN)).join(', '));
  const left = { ...node, properties: without(properties, ...strange) };
  const required = texts(node.required);
  const told = strange.map(name => describeProperty(name, properties[name], required.includes(name))).join(' ');
  const still = required.filter(name => !strange.includes(name));
  const withRequired = node.required === undefined ? left : { ...left, required: still };
  return note(withRequired, cutText(told, LONGEST_NOTE));
}

const LONGEST_SHOWN = 80;
const LONGEST_NOTE = 1000;

function describeProperty(name: string, schema: unknown, required: boolean): string {
  const { type, description } = isObject(schema) ? schema : {};
  const kind = [typeof type === 'string' ? type : '', required ? 'required' : ''].filter(Boolean).join(', ');
  const words = typeof description === 'string' ? `: ${cutText(description, LONGEST_SHOWN * 2)}` : '';
  return `Also takes ${JSON.stringify(cutText(name, LONGEST_SHOWN))}${kind ? ` (${kind})` : ''}${words}.`;
}

function onlyDescribed(node: JsonSchema, { changes }: Work, at: Place | undefined): JsonSchema {
  let plain = node;
  if (isObject(plain.properties)) {
    const impossible = Object.keys(plain.properties).filter(name => (plain.properties as JsonSchema)[name] === false);
    if (impossible.length > 0) {
      changes.add(at, 'property-dropped', impossible.join(', '));
      plain = { ...plain, properties: without(plain.properties as JsonSchema, ...impossible) };
    }
    if (Object.keys(plain.properties as JsonSchema).length === 0) {
      changes.add(at, 'properties-emptied');
      plain = without(plain, 'properties');
    }
  }
  if (plain.required === undefined) return plain;
  const known = isObject(plain.properties) ? plain.properties : {};
  const required = texts(plain.required);
  const still = [...new Set(required)].filter(name => Object.hasOwn(known, name));
  if (still.length === required.length && still.length > 0) return plain;
  if (still.length < new Set(required).size) changes.add(at, 'required-dropped');
  return still.length > 0 ? { ...plain, required: still } : without(plain, 'required');
}
