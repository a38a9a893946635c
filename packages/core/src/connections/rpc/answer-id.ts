/**
 * Finds the id of a JSON-RPC answer in its bytes without parsing the answer. Ids are ours, so they are whole numbers. They
 * stand before the result or after it; both ends are short, and only the ends are looked at.
 */
import type { Frame } from './frame.ts';

export interface AnswerId {
  readonly id: number;
  /** Which piece of the frame holds the id, and where in it. */
  readonly piece: number;
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const ZERO = 0x30;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Undefined for anything but an answer whose id stands at one of its ends: then the caller parses it. */
export function findAnswerId(frame: Frame): AnswerId | undefined {
  const head = frame[0];
  if (head === undefined) return undefined;
  const found = scanHead(head);
  if (found !== 'after-result') return found;
  const last = frame.length - 1;
  return scanTail(frame[last] as Buffer, last);
}

/** Walks the first keys. A message that names a method first is no answer; one that starts with its result ends with its id. */
function scanHead(bytes: Buffer): AnswerId | 'after-result' | undefined {
  let at = skipSpace(bytes, 0);
  if (bytes[at++] !== OPEN_BRACE) return undefined;
  let id: AnswerId | undefined;
  // jsonrpc and id at most: the third key decides.
  for (let keys = 0; keys < 3; keys++) {
    at = skipSpace(bytes, at);
    if (bytes[at] !== QUOTE) return undefined;
    const keyStart = at + 1;
    const keyEnd = endOfWord(bytes, keyStart);
    if (keyEnd === bytes.length) return undefined;
    const key = bytes.toString('latin1', keyStart, keyEnd);
    if (key === 'result' || key === 'error') return id ?? 'after-result';
    at = skipSpace(bytes, keyEnd + 1);
    if (bytes[at++] !== COLON) return undefined;
    at = skipSpace(bytes, at);
    const valueStart = at;
    if (key === 'id') {
      let number = 0;
      for (; isDigit(bytes[at]); at++) number = number * 10 + (bytes[at] as number) - ZERO;
      if (at === valueStart) return undefined;
      id = { id: number, piece: 0, start: valueStart, end: at };
    } else if (key === 'jsonrpc') {
      if (bytes[at] !== QUOTE) return undefined;
      at = endOfWord(bytes, at + 1) + 1;
    } else {
      return undefined;
    }
    at = skipSpace(bytes, at);
    if (bytes[at++] !== COMMA) return undefined;
  }
  return undefined;
}

/**
 * Walks the last keys backwards. A bare number just before the closing brace is a value of the outermost object: were it
 * inside a string, a quote would stand between; were it deeper, another brace would. So no other byte needs a look.
 */
function scanTail(bytes: Buffer, piece: number): AnswerId | undefined {
  let at = skipSpaceBack(bytes, bytes.length - 1);
  if (bytes[at--] !== CLOSE_BRACE) return undefined;
  for (let keys = 0; keys < 2; keys++) {
    at = skipSpaceBack(bytes, at);
    const valueEnd = at + 1;
    let wanted: string;
    if (bytes[at] === QUOTE) {
      const open = bytes.lastIndexOf(QUOTE, at - 1);
      if (open < 0 || bytes[open - 1] === BACKSLASH) return undefined;
      wanted = 'jsonrpc';
      at = open - 1;
    } else {
      while (isDigit(bytes[at])) at--;
      if (at + 1 === valueEnd) return undefined;
      wanted = 'id';
    }
    const valueStart = at + 1;
    at = skipSpaceBack(bytes, at);
    if (bytes[at--] !== COLON) return undefined;
    at = skipSpaceBack(bytes, at);
    const keyStart = at - wanted.length;
    if (keyStart < 1 || bytes.toString('latin1', keyStart - 1, at + 1) !== `"${wanted}"`) return undefined;
    at = skipSpaceBack(bytes, keyStart - 2);
    if (bytes[at--] !== COMMA) return undefined;
    if (wanted === 'id') {
      return { id: Number(bytes.toString('latin1', valueStart, valueEnd)), piece, start: valueStart, end: valueEnd };
    }
  }
  return undefined;
}

/** The same answer under another id: the bytes around the id are passed on as they are. */
export function withId(frame: Frame, at: AnswerId, id: string): Buffer[] {
  const holder = frame[at.piece] as Buffer;
  return [
    ...frame.slice(0, at.piece),
    holder.subarray(0, at.start),
    Buffer.from(id),
    holder.subarray(at.end),
    ...frame.slice(at.piece + 1),
  ];
}

/** Where the quote stands, or the end of the bytes. Words here are short: looking at each byte is quicker than `indexOf`. */
function endOfWord(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at++;
  return at;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at++;
  return at;
}

function skipSpaceBack(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at--;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= 0x39;
}
