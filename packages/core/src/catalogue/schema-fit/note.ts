/** Words for the model, where a schema cannot say it. */
import { cutText } from '../untrusted/clean-text.ts';
import type { JsonSchema } from './json-schema.ts';
import { LONGEST_TEXT } from './limits.ts';

/** The schema with a sentence at the end of its description; without one, or with one that is there already, as it is. */
export function note(schema: JsonSchema, sentence: string | undefined): JsonSchema {
  if (sentence === undefined) return schema;
  const { description } = schema;
  if (typeof description === 'string' && description.includes(sentence)) return schema;
  return { ...schema, description: joined(description, sentence) };
}

/** Two texts as one that is not too long; the last stays whole where it is short. */
export function joined(first: unknown, last: string): string {
  if (typeof first !== 'string' || first === '') return last;
  const apart = /[.!?:;,)…]$/.test(first) ? ' ' : '. ';
  const room = LONGEST_TEXT - last.length - apart.length;
  if (room < LEAST_ROOM) return cutText(`${first}${apart}${last}`, LONGEST_TEXT);
  return first.length <= room ? `${first}${apart}${last}` : `${cutText(first, room)} ${last}`;
}

/** Less would leave nothing of the first. */
const LEAST_ROOM = 100;
