/** Whole JSON values of a stranger: every text in them cleaned, everything else as it is. */
import { cleanText, hidesSomething } from './clean-text.ts';

/** Deeper than any honest definition; a server must not make us climb for ever. */
const MAX_DEPTH = 64;

/** The same value where there was nothing to clean. Keys that hide something go, with what they hold. */
export function cleanValues<Value>(value: Value): Value {
  return cleaned(value, 0) as Value;
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  return Array.isArray(value) ? cleanedList(value, depth) : cleanedObject(value as Record<string, unknown>, depth);
}

function cleanedList(list: readonly unknown[], depth: number): readonly unknown[] {
  const clean = list.map(one => cleaned(one, depth + 1));
  return clean.every((one, index) => one === list[index]) ? list : clean;
}

function cleanedObject(object: Readonly<Record<string, unknown>>, depth: number): Readonly<Record<string, unknown>> {
  if (isEmpty(object)) return object;
  const entries = Object.entries(object);
  const clean = entries
    .filter(([key]) => !hidesSomething(key))
    .map(([key, value]) => [key, cleaned(value, depth + 1)] as const);
  const same = clean.length === entries.length && clean.every(([key, value]) => value === object[key]);
  return same ? object : Object.fromEntries(clean);
}

function isEmpty(object: object): boolean {
  for (const _key in object) return false;
  return true;
}
