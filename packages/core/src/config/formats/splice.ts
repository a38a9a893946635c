/** Text is edited by replacing stretches of it, so that everything outside them stays as the person wrote it. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export type LineEnd = '\n' | '\r\n';

/** Applies splices that do not overlap; those at the same place keep their order. What is new gets the given line ends. */
export function spliced(text: string, splices: readonly Splice[], eol: LineEnd): string {
  const ordered = splices.toSorted((a, b) => a.from - b.from);
  let result = '';
  let at = 0;
  for (const splice of ordered) {
    result += text.slice(at, splice.from) + (eol === '\n' ? splice.text : splice.text.replaceAll('\n', eol));
    at = splice.to;
  }
  return result + text.slice(at);
}

export function lineEndOf(text: string): LineEnd {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  if (newline < 0) return text.length;
  return newline > offset && text[newline - 1] === '\r' ? newline - 1 : newline;
}

/** Where the next line begins; the end of the text where there is none. */
export function nextLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline < 0 ? text.length : newline + 1;
}

/** The white space a line begins with. */
export function indentationAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return /[ \t]*/y.exec(text.slice(start, lineEnd(text, start)))?.[0] ?? '';
}

/** Whether only white space stands before this place on its line. */
export function beginsItsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

export function isBlankLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), lineEnd(text, offset)).trim() === '';
}

/** Takes out whole lines, and the blank ones after them where they would leave two gaps in a row. */
export function removeLines(text: string, from: number, to: number): Splice {
  const start = lineStart(text, from);
  let end = nextLine(text, to);
  if (start === 0 || isBlankLine(text, start - 1)) {
    while (end < text.length && isBlankLine(text, end)) end = nextLine(text, end);
  }
  // The last lines go with the line break before them, where the text did not end with one.
  const unended = end === text.length && text.at(-1) !== '\n';
  return { from: unended && start > 0 ? endOfLineBefore(text, start) : start, to: end, text: '' };
}

function endOfLineBefore(text: string, start: number): number {
  return text[start - 2] === '\r' ? start - 2 : start - 1;
}
