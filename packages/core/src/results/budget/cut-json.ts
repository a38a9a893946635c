/**
 * The beginning of a JSON document as a document of its own: cut between two values, or inside a long text, and closed. It
 * looks at no more than it shows, so that a document of a hundred megabytes costs no more than one that is just too long.
 * Pure.
 */
import { isJson } from '../../base/json/is-json.ts';

/** What stands where the rest was. */
const IN_LIST = '"… cut here"';
const IN_OBJECT = '"…":"cut here"';

/** A shorter text is left out whole: half a name tells less than none. */
const LONG_TEXT_CHARS = 200;

export function looksLikeJson(text: string): boolean {
  const first = /\S/.exec(text)?.[0];
  const last = text.trimEnd().at(-1);
  return (first === '{' && last === '}') || (first === '[' && last === ']');
}

/** Undefined where it is no JSON after all, or there is no room for anything. */
export function cutJson(text: string, maxChars: number): string | undefined {
  const end = new Scanner(text, maxChars).lastEnd();
  if (end === undefined) return undefined;
  const cut = text.slice(0, end.at) + end.closing;
  return isJson(cut) ? cut : undefined;
}

interface End {
  readonly at: number;
  /** What closes everything that is open there. */
  readonly closing: string;
}

/** Walks a document up to a limit, and remembers the last place where it could end. */
class Scanner {
  readonly #text: string;
  readonly #maxChars: number;
  /** Closing brackets of what is open, innermost first. */
  #closers = '';
  /** Whether the innermost list or object has a value already, for each that is open. */
  readonly #filled: boolean[] = [];
  #end: End | undefined;

  constructor(text: string, maxChars: number) {
    this.#text = text;
    this.#maxChars = maxChars;
  }

  lastEnd(): End | undefined {
    const text = this.#text;
    const limit = Math.min(text.length, this.#maxChars);
    let inKey = false;
    for (let at = 0; at < limit; at++) {
      const char = text[at] as string;
      if (char === '{' || char === '[') {
        this.#closers = (char === '{' ? '}' : ']') + this.#closers;
        this.#filled.push(false);
        this.#mayEnd(at + 1);
        inKey = char === '{';
      } else if (char === '}' || char === ']') {
        this.#closers = this.#closers.slice(1);
        this.#filled.pop();
        this.#valueEnds(at + 1);
      } else if (char === ',') {
        inKey = this.#closers[0] === '}';
      } else if (char === ':') {
        inKey = false;
      } else if (char === '"') {
        const close = closingQuote(text, at + 1, limit);
        if (close === undefined) {
          if (!inKey) this.#mayEndInside(at + 1, limit);
          return this.#end;
        }
        at = close;
        if (!inKey) this.#valueEnds(at + 1);
      } else if (char > ' ') {
        at = literalEnd(text, at, limit) - 1;
        if (at + 1 >= limit) return this.#end;
        this.#valueEnds(at + 1);
      }
    }
    return this.#end;
  }

  #valueEnds(at: number): void {
    if (this.#closers === '') return;
    this.#filled[this.#filled.length - 1] = true;
    this.#mayEnd(at);
  }

  #mayEnd(at: number, before = ''): void {
    const mark = this.#closers[0] === '}' ? IN_OBJECT : IN_LIST;
    const comma = before !== '' || this.#filled.at(-1) ? ',' : '';
    const closing = `${before}${comma}${mark}${this.#closers}`;
    if (at + closing.length <= this.#maxChars) this.#end = { at, closing };
  }

  /** A long text is shown as far as there is room; one that is base64 not at all, since half of it is worth nothing. */
  #mayEndInside(from: number, limit: number): void {
    if (this.#closers === '') return;
    const room = limit - this.#closers.length - IN_OBJECT.length - 3;
    const at = lastWhole(this.#text, from, room);
    if (at - from < LONG_TEXT_CHARS || isBase64(this.#text.slice(from, at))) return;
    this.#mayEnd(at, '…"');
  }
}

function closingQuote(text: string, from: number, limit: number): number | undefined {
  for (let at = from; at < limit; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return undefined;
}

function literalEnd(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && !/[\s,\]}]/.test(text[at] as string)) at++;
  return at;
}

/** The last place up to `limit` that is not inside an escape or a character. */
function lastWhole(text: string, from: number, limit: number): number {
  let at = from;
  for (let next = at; next <= limit; next += unitAt(text, at)) at = next;
  return at;
}

const ESCAPED_PAIR = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/y;

function unitAt(text: string, at: number): number {
  if (text[at] !== '\\') return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  if (text[at + 1] !== 'u') return 2;
  ESCAPED_PAIR.lastIndex = at;
  return ESCAPED_PAIR.test(text) ? 12 : 6;
}

const BASE64 = /^[\w+/=-]+$/;

function isBase64(text: string): boolean {
  return BASE64.test(text);
}
