/** How to mend a value that is of the wrong type: what to write in its place. Pure. */
import type * as z from 'zod/mini';

/** Undefined where the message says all there is to say. */
export function fixForType(issue: z.core.$ZodIssue, found: unknown): string | undefined {
  if (issue.code === 'invalid_value' && issue.values.length === 1) return `Write ${JSON.stringify(issue.values[0])}.`;
  if (issue.code !== 'invalid_type') return undefined;
  const { expected } = issue;
  if (expected === 'string') return isPlain(found) ? 'Write it in quotes.' : undefined;
  if (expected === 'array') return typeof found === 'string' ? `Write it in brackets: ["…"].` : 'Write […] there.';
  return FIXES[expected];
}

const FIXES: Readonly<Record<string, string>> = {
  boolean: 'Write true or false, without quotes.',
  number: 'Write a number, without quotes.',
  int: 'Write a whole number, without quotes.',
  object: 'Write { … } there.',
  record: 'Write { … } there.',
};

function isPlain(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}
