/** The fast way, for the many files that are plain JSON. */
import { MAX_DEPTH } from '../problems.ts';

/** Undefined where a slower look is needed: for comments, errors, keys that stand twice and what is nested too deep. */
export function plainJson(text: string): { readonly value: unknown } | undefined {
  if (KEY_OF_ONE_ESCAPE.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // JSON.parse lets the last of two equal keys win; then the text holds more keys than the value.
  return keysWritten(text) === keysHeld(value, 0) ? { value } : undefined;
}

/** In V8 13.6 JSON.parse takes `"\n":` for `"\\":` where it has met that key before in such an object. */
const KEY_OF_ONE_ESCAPE = /"\\(?:u[\da-fA-F]{4}|[^u])"\s*:/;

function keysWritten(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = endOfString(text, at + 1);
    while (isSpace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) === COLON) keys++;
  }
  return keys;
}

const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** The place after the closing quote of a string that begins at `from`. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  for (;;) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function keysHeld(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= MAX_DEPTH) return Number.NaN;
  const inner = Object.values(value);
  let keys = Array.isArray(value) ? 0 : inner.length;
  for (const item of inner) keys += keysHeld(item, depth + 1);
  return keys;
}
