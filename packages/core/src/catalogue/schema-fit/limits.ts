/** How large a schema may be, and what stands for one that cannot be used. */
import type { JsonSchema } from './json-schema.ts';

/** Larger schemas are not read: a server must not fill the model's window, or our time. */
export const MAX_SCHEMA_BYTES = 64 * 1024;

/** Longer texts inside a schema are cut. */
export const LONGEST_TEXT = 2000;

/** Takes any arguments. */
export const ANY_ARGUMENTS: JsonSchema = { type: 'object', additionalProperties: true };

/** As JSON; undefined where it is nested so deeply that it cannot be written. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** How large a text is in UTF-8, as far as it matters. */
export function bytesOf(json: string): number {
  // At least one byte and at most three for each unit: it is counted only in between.
  if (json.length > MAX_SCHEMA_BYTES || json.length * 3 <= MAX_SCHEMA_BYTES) return json.length;
  return new TextEncoder().encode(json).length;
}
