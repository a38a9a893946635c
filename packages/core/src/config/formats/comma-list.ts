/**
 * Lists in brackets with commas between their items: JSON objects and arrays, YAML flow collections, TOML arrays and
 * inline tables. Comments are never part of an item; the one behind an item that has its lines to itself goes with it.
 */
import { beginsItsLine, indentationAt, lineEnd, lineStart, nextLine, type Splice } from './splice.ts';

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface CommaList {
  /** Between the brackets. */
  readonly inside: Span;
  readonly items: readonly Span[];
  readonly comments: CommentStyle;
}

export type CommentStyle = 'slashes' | 'hash';

export interface ItemStyle {
  /** Whether an empty list gets a line for its first item. */
  readonly ownLine: boolean;
  /** One step of indentation. */
  readonly step: string;
  /** What stands between a bracket and an item on the same line. */
  readonly padding: string;
  /** The new item, for lines indented like this. */
  render(indentation: string): string;
}

export function appendItem(text: string, list: CommaList, style: ItemStyle): Splice[] {
  const last = list.items.at(-1);
  const first = list.items[0];
  if (!last || !first) return firstItem(text, list, style);
  const comma = commaAfter(text, list, list.items.length - 1);
  if (!beginsItsLine(text, first.from)) {
    const item = style.render(indentationAt(text, first.from));
    return comma === undefined ? [at(last.to, `, ${item}`)] : [at(comma + 1, ` ${item},`)];
  }
  const indentation = indentationAt(text, first.from);
  const item = `\n${indentation}${style.render(indentation)}`;
  const lineDone = endOfSameLine(text, list, comma === undefined ? last.to : comma + 1);
  return comma === undefined ? [at(last.to, ','), at(lineDone, item)] : [at(lineDone, `${item},`)];
}

function firstItem(text: string, { inside }: CommaList, style: ItemStyle): Splice[] {
  const base = indentationAt(text, inside.from);
  const written = text.slice(inside.from, inside.to).trimEnd();
  if (written === '' && !style.ownLine) {
    return [{ ...inside, text: `${style.padding}${style.render(base)}${style.padding}` }];
  }
  const indentation = base + style.step;
  const lines = `\n${indentation}${style.render(indentation)}\n${base}`;
  return [{ from: inside.from + written.length, to: inside.to, text: lines }];
}

export function removeItem(text: string, list: CommaList, index: number): Splice[] {
  const item = list.items[index];
  if (!item) return [];
  if (list.items.length === 1 && isBare(text, list, item)) return [{ ...list.inside, text: '' }];
  const comma = commaAfter(text, list, index);
  const before = index > 0 && comma === undefined ? commaAfter(text, list, index - 1) : undefined;
  const orphan = before === undefined ? [] : [{ from: before, to: before + 1, text: '' }];
  const done = comma === undefined ? item.to : comma + 1;
  const lineDone = endOfSameLine(text, list, done);
  if (beginsItsLine(text, item.from) && lineDone === lineEnd(text, done) && lineDone < list.inside.to) {
    return [...orphan, { from: lineStart(text, item.from), to: nextLine(text, lineDone), text: '' }];
  }
  const endOfGap = done + (/^\s*/.exec(text.slice(done, list.inside.to))?.[0].length ?? 0);
  const isLast = comma === undefined || endOfGap === list.inside.to;
  if (index > 0 && isLast) return [...orphan, { from: startOfGap(text, list, index), to: done, text: '' }];
  return [...orphan, { from: item.from, to: isLast ? done : endOfGap, text: '' }];
}

/** Whether nothing but white space and a comma would be left. */
function isBare(text: string, { inside }: CommaList, item: Span): boolean {
  return /^\s*,?\s*$/.test(text.slice(inside.from, item.from) + text.slice(item.to, inside.to));
}

function commaAfter(text: string, list: CommaList, index: number): number | undefined {
  const from = list.items[index]?.to ?? list.inside.from;
  const to = list.items[index + 1]?.from ?? list.inside.to;
  for (const token of between(text, list.comments, from, to)) if (token.text === ',') return token.from;
  return undefined;
}

/** Where the white space before an item begins; the line break that ends a comment is not part of it. */
function startOfGap(text: string, list: CommaList, index: number): number {
  const item = list.items[index] ?? list.inside;
  let start = list.items[index - 1]?.to ?? list.inside.from;
  for (const token of between(text, list.comments, start, item.from)) {
    if (token.text.trim() !== '') start = token.from + token.text.length;
    if (/^(\/\/|#)/.test(token.text)) start = lineStart(text, item.from);
  }
  return start;
}

/** Past the comments that stand behind something on its line. */
function endOfSameLine(text: string, list: CommaList, from: number): number {
  let end = from;
  const next = list.items.find(item => item.from >= from)?.from ?? list.inside.to;
  for (const token of between(text, list.comments, from, Math.min(lineEnd(text, from), next))) {
    if (token.text.trim() !== '') end = token.from + token.text.trimEnd().length;
  }
  // White space at the end of a line belongs to it.
  return text.slice(end, lineEnd(text, end)).trim() === '' && next > lineEnd(text, end) ? lineEnd(text, end) : end;
}

const TOKENS: Readonly<Record<CommentStyle, RegExp>> = {
  slashes: /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,/y,
  hash: /\s+|#[^\n]*|,/y,
};

function* between(text: string, comments: CommentStyle, from: number, to: number) {
  const token = new RegExp(TOKENS[comments]);
  token.lastIndex = from;
  while (token.lastIndex < to) {
    const match = token.exec(text);
    if (!match) return;
    yield { from: match.index, text: match[0] };
  }
}

function at(offset: number, text: string): Splice {
  return { from: offset, to: offset, text };
}
