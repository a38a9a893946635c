/** What was read of a stored result, as one text for a model: where it stands, the words, and how to read on. Pure. */
import { cleanText } from '../../catalogue/untrusted/clean-text.ts';
import { markedAsData } from '../marked-as-data.ts';
import type { ResultReading } from './read-artifact.ts';

/** The words of an untrusted server are cleaned and marked as data, as they are in a result itself. */
export function readingText(reading: ResultReading, { trusted }: { readonly trusted: boolean }): string {
  const { id, text, range, chars, count, more } = reading;
  const place = `characters ${range[0]} to ${range[1]} of ${chars}`;
  const found = count === undefined ? place : `found ${count} times in ${place}`;
  const words = trusted || text === '' ? text : markedAsData(cleanText(text), reading);
  const next = more ? `[read on with read_result: ${JSON.stringify({ id, ...more })}]` : '[there is no more]';
  return [`[${found}]`, words, next].join('\n');
}
