/**
 * Whether bytes are one JSON-RPC answer and nothing more: an object with one id, one result or error, and no other key. A
 * server that adds a second id could answer another request of the same client. Strings are jumped over, so that a large
 * result costs about as much as finding its quotes.
 */
import type { Frame } from './frame.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

/** Which of the two a plain answer is; undefined where it is no plain answer. */
export function plainOutcome(frame: Frame): 'result' | 'error' | undefined {
  const keys = topLevelKeys(frame);
  if (!keys) return undefined;
  let versions = 0;
  let ids = 0;
  let outcome: 'result' | 'error' | undefined;
  for (const key of keys) {
    if (key === 'jsonrpc') versions++;
    else if (key === 'id') ids++;
    else if ((key === 'result' || key === 'error') && outcome === undefined) outcome = key;
    else return undefined;
  }
  return versions <= 1 && ids === 1 ? outcome : undefined;
}

/** The keys of the outermost object, as often as they stand there. Undefined where the brackets do not add up. */
function topLevelKeys(frame: Frame): string[] | undefined {
  const keys: string[] = [];
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The last string at the outermost level: a key if a colon follows. */
  let text = '';
  for (const piece of frame) {
    for (let at = 0; at < piece.length; at++) {
      if (inString) {
        const end = endOfString(piece, at, escaped);
        if (depth === 1) text += piece.toString('latin1', at, end.at);
        escaped = end.escaped;
        at = end.at;
        inString = !end.closed;
        continue;
      }
      const byte = piece[at] as number;
      if (byte === QUOTE) {
        inString = true;
        escaped = false;
        text = '';
      } else if (byte === COLON && depth === 1) keys.push(text);
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
      if (depth < 0) return undefined;
    }
  }
  return depth === 0 && !inString ? keys : undefined;
}

/** Where the string ends in this piece, or that it goes on in the next. */
function endOfString(piece: Buffer, from: number, escaped: boolean): { at: number; closed: boolean; escaped: boolean } {
  let start = escaped ? from + 1 : from;
  for (;;) {
    const quote = piece.indexOf(QUOTE, start);
    const limit = quote < 0 ? piece.length : quote;
    let escapes = 0;
    while (limit - 1 - escapes >= start && piece[limit - 1 - escapes] === BACKSLASH) escapes++;
    if (quote < 0) return { at: piece.length, closed: false, escaped: escapes % 2 === 1 };
    if (escapes % 2 === 0) return { at: quote, closed: true, escaped: false };
    start = quote + 1;
  }
}
