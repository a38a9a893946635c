/**
 * Structured content as the text that people and models read. Programs get numbers as JavaScript has them; the text has the
 * digits that the server wrote, where those are more. Pure, but for remembering the text as long as the value is used.
 */
import { mayLoseDigits, parseExactly } from '../base/json/exact-json.ts';

const texts = new WeakMap<object, string>();

/** Remembers the digits of a value that was parsed out of a document; `find` says where in it the value stands. */
export function keepDigits(value: object, document: string, find: (document: unknown) => unknown): void {
  if (!mayLoseDigits(document)) return;
  try {
    texts.set(value, JSON.stringify(find(parseExactly(document))));
  } catch {
    // A batch, or a document that is nested too deeply: then the numbers are those of the value.
  }
}

/** `clean`: what is to become of it before a model reads it. */
export function structuredText(value: unknown, clean?: (value: unknown) => unknown): string {
  const known = typeof value === 'object' && value !== null ? texts.get(value) : undefined;
  if (!clean) return known ?? JSON.stringify(value);
  return JSON.stringify(clean(known === undefined ? value : parseExactly(known)));
}
