/** Where a text may be cut: never inside a character, and at the end of a line where one is near. Pure. */

/** How far a cut may move to end a line. Further, and too much of what there is room for would be given up. */
const NEAR_CHARS = 200;

/** The last place up to `at` where the text may end. */
export function endBefore(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return line > 0 && at - line <= Math.min(NEAR_CHARS, at / 2) ? line : wholeBefore(text, at);
}

/** The first place from `at` on where the text may go on. */
export function startAfter(text: string, at: number): number {
  if (at <= 0) return 0;
  if (text[at - 1] === '\n') return at;
  const line = text.indexOf('\n', at) + 1;
  const near = Math.min(NEAR_CHARS, (text.length - at) / 2);
  return line > 0 && line - at <= near ? line : wholeAfter(text, at);
}

/** Not between the halves of a character beyond the first 65,536. */
export function wholeBefore(text: string, at: number): number {
  return splitsPair(text, at) ? at - 1 : at;
}

export function wholeAfter(text: string, at: number): number {
  return splitsPair(text, at) ? at + 1 : at;
}

function splitsPair(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
