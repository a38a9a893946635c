/** Whole JSON values of a stranger: every text in them cleaned, everything else as it is. */
import { cleanText, hidesSomething } from './clean-text.ts';

/** Deeper than any honest definition; a server must not make us climb for ever. */
const MAX_DEPTH = 64;

/** The same value where there was nothing to clean. Keys that hide something go, with what they hold. */
export function cleanValues<Value>(value: Value, clean: (text: string) => string = cleanText): Value {
  return cleaned(value, clean, 0) as Value;
}

function cleaned(value: unknown, clean: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return cleanedList(value, clean, depth);
  return cleanedObject(value as Record<string, unknown>, clean, depth);
}

function cleanedList(list: readonly unknown[], clean: (text: string) => string, depth: number): readonly unknown[] {
  const items = list.map(one => cleaned(one, clean, depth + 1));
  return items.every((one, index) => one === list[index]) ? list : items;
}

function cleanedObject(
  object: Readonly<Record<string, unknown>>,
  clean: (text: string) => string,
  depth: number,
): Readonly<Record<string, unknown>> {
  if (isEmpty(object)) return object;
  const entries = Object.entries(object);
  const kept = entries
    .filter(([key]) => !hidesSomething(key))
    .map(([key, value]) => [key, cleaned(value, clean, depth + 1)] as const);
  const same = kept.length === entries.length && kept.every(([key, value]) => value === object[key]);
  return same ? object : Object.fromEntries(kept);
}

function isEmpty(object: object): boolean {
  for (const _key in object) return false;
  return true;
}
