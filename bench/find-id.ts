/** Finds the value of the top-level `id` in the bytes of a JSON object, without parsing the object. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;

export function findId(json: Buffer): Place | undefined {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const start = at + 1;
      at = endOfString(json, start);
      if (at < 0) return undefined;
      // A string "id" that is a value, not a key, has no colon after it.
      if (depth === 1 && json.toString('latin1', start, at) === 'id' && json[skip(json, at + 1, SPACE)] === COLON) {
        return valueAfter(json, skip(json, at + 1, SPACE) + 1);
      }
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return undefined;
}

function endOfString(json: Buffer, start: number): number {
  let end = json.indexOf(QUOTE, start);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1);
  return end;
}

function isEscaped(json: Buffer, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function valueAfter(json: Buffer, from: number): Place | undefined {
  const start = skip(json, from, SPACE);
  let end = start;
  while (end < json.length && json[end] !== COMMA && json[end] !== 0x7d) end++;
  return end < json.length ? { start, end } : undefined;
}

function skip(json: Buffer, from: number, byte: number): number {
  let at = from;
  while (json[at] === byte) at++;
  return at;
}
