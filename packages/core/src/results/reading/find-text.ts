/** Finds words in a text: where they stand, in which line, and what is around them. Pure. */
import { wholeAfter, wholeBefore } from '../budget/boundary.ts';

/** One place where the words stand. */
export interface Match {
  /** The character it begins at, counted from the beginning of the text. */
  readonly at: number;
  /** Counted from 1. */
  readonly line: number;
  /** Its line and the ones next to it, as far as they are near. */
  readonly text: string;
}

export interface Matches {
  readonly matches: readonly Match[];
  /** How often the words stand in the part that was searched, shown or not. */
  readonly count: number;
  /** Where to go on, if not all are shown. */
  readonly next: number | undefined;
}

export interface FindOptions {
  readonly from: number;
  readonly to: number;
  /** How many characters the matches may have together. */
  readonly maxChars: number;
}

const LINES_AROUND = 1;

/** A line can be as long as the whole text: no more of it is shown than this, before and after. */
const CHARS_AROUND = 120;

/** Upper and lower case are the same. */
export function findText(text: string, words: string, { from, to, maxChars }: FindOptions): Matches {
  const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
  const matches: Match[] = [];
  let count = 0;
  let chars = 0;
  let next: number | undefined;
  let line = lineAt(text, 0, from, 1);
  let counted = from;
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found && found.index < to; found = pattern.exec(text)) {
    count++;
    if (next !== undefined) continue;
    const around = textAround(text, found.index, found.index + found[0].length);
    if (matches.length > 0 && chars + around.length > maxChars) {
      next = found.index;
      continue;
    }
    chars += around.length;
    line = lineAt(text, counted, found.index, line);
    counted = found.index;
    matches.push({ at: found.index, line, text: around });
  }
  return { matches, count, next };
}

function lineAt(text: string, from: number, to: number, line: number): number {
  let lines = line;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function textAround(text: string, start: number, end: number): string {
  const first = wholeAfter(text, Math.max(0, start - CHARS_AROUND));
  const last = wholeBefore(text, Math.min(text.length, end + CHARS_AROUND));
  const before = text.slice(first, start).split('\n');
  const after = text.slice(end, last).split('\n');
  const open = before.length <= LINES_AROUND + 1 && first > 0 && text[first - 1] !== '\n';
  const unfinished = after.length <= LINES_AROUND + 1 && last < text.length && text[last] !== '\n';
  const lead = before.slice(-1 - LINES_AROUND).join('\n');
  const tail = after.slice(0, 1 + LINES_AROUND).join('\n');
  return `${open ? '…' : ''}${lead}${text.slice(start, end)}${tail}${unfinished ? '…' : ''}`;
}
