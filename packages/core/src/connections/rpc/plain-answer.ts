/**
 * Brings an answer into the one form that is passed on as bytes: `{"jsonrpc":"2.0","id":…,"result":…}`. The bytes of the
 * result or the error are kept as they are, digits included; whatever else the server wrote beside them is left out.
 */
import type { AnswerId } from './answer-id.ts';
import type { Frame } from './frame.ts';
import type { AnswerMessage } from './waits.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

const HEAD = '{"jsonrpc":"2.0","id":';
const CLOSING_BRACE = Buffer.from('}');

export interface PlainAnswer {
  readonly frame: Frame;
  readonly at: AnswerId;
}

/** Which of the two an answer is. Older JSON-RPC writes `"error": null` beside a result; undefined: it is no answer. */
export function outcomeIn(message: object): 'result' | 'error' | undefined {
  if ((message as AnswerMessage).error) return 'error';
  return 'result' in message ? 'result' : undefined;
}

/** `message`: what the frame was parsed into, or one item of it where the frame is a batch; `index` says which. */
export function plainAnswer(frame: Frame, message: AnswerMessage, index?: number): PlainAnswer | undefined {
  const outcome = outcomeIn(message);
  const bytes = frame.length === 1 ? (frame[0] as Buffer) : Buffer.concat(frame);
  const start = index === undefined ? startOfJson(bytes) : itemsOf(bytes)[index]?.start;
  const place = outcome && start !== undefined ? memberAt(bytes, start, outcome) : undefined;
  if (!place) return undefined;
  const id = String(message.id);
  const head = Buffer.from(`${HEAD}${id},"${outcome}":`);
  return {
    frame: [head, bytes.subarray(place.start, place.end), CLOSING_BRACE],
    at: { id: message.id, piece: 0, start: HEAD.length, end: HEAD.length + id.length },
  };
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The value of a member of an object. Of equal keys the last counts, as it does for whoever parses it. */
function memberAt(bytes: Buffer, open: number, wanted: string): Place | undefined {
  let found: Place | undefined;
  let at = afterSpace(bytes, open + 1);
  while (bytes[at] === QUOTE) {
    const keyEnd = endOfString(bytes, at);
    const key: unknown = JSON.parse(bytes.toString('utf8', at, keyEnd));
    const start = afterSpace(bytes, afterSpace(bytes, keyEnd) + 1);
    const end = endOfValue(bytes, start);
    if (key === wanted) found = { start, end };
    at = afterSpace(bytes, end);
    if (bytes[at] === COMMA) at = afterSpace(bytes, at + 1);
  }
  return found;
}

function itemsOf(bytes: Buffer): Place[] {
  const items: Place[] = [];
  let at = afterSpace(bytes, startOfJson(bytes) + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_BRACKET) {
    const end = endOfValue(bytes, at);
    items.push({ start: at, end });
    at = afterSpace(bytes, end);
    if (bytes[at] === COMMA) at = afterSpace(bytes, at + 1);
  }
  return items;
}

/** Past white space, and past the mark that some programs write before all else. */
function startOfJson(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length && bytes[at] !== OPEN_BRACE && bytes[at] !== OPEN_BRACKET) at++;
  return at;
}

function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = endOfString(bytes, at) - 1;
      if (depth === 0) return at + 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      // A number or a word ends where its holder does.
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || byte <= 0x20)) return at;
  }
  return at;
}

/** Just past the closing quote of the string that begins here. */
function endOfString(bytes: Buffer, start: number): number {
  let from = start + 1;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, from);
    if (quote < 0) return bytes.length;
    let escapes = 0;
    while (bytes[quote - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] as number) <= 0x20) at++;
  return at;
}
