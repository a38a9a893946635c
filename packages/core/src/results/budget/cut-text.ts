/** The beginning and the end of a text that is too long, with a note of what is missing between. Pure. */
import { endBefore, startAfter } from './boundary.ts';
import { cutJson, looksLikeJson } from './cut-json.ts';

/** The end of a log tells how it ended; the beginning of anything tells what it is. */
const SHARE_OF_BEGINNING = 2 / 3;

export interface CutOptions {
  readonly maxChars: number;
  /** Where the text stands in the whole that is kept. */
  readonly offset?: number;
}

export function cutText(text: string, { maxChars, offset = 0 }: CutOptions): string {
  if (text.length <= maxChars) return text;
  const json = looksLikeJson(text) ? cutJson(text, maxChars) : undefined;
  if (json !== undefined) return ownCopy(json);
  const room = maxChars - gap(offset + text.length, offset + text.length, text.length).length;
  if (room < 2) return gap(offset, offset + text.length, text.length);
  const head = endBefore(text, Math.floor(room * SHARE_OF_BEGINNING));
  const tail = startAfter(text, text.length - (room - Math.floor(room * SHARE_OF_BEGINNING)));
  const note = gap(offset + head, offset + tail, tail - head);
  return ownCopy(`${text.slice(0, head)}${note}${text.slice(tail)}`);
}

/** A piece of a text keeps the whole of it in memory for as long as it lives. A copy does not. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function gap(from: number, to: number, chars: number): string {
  return `\n[… ${chars} characters left out, ${from} to ${to} …]\n`;
}
