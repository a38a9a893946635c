import { isPlain, replaceUnseen } from '../../base/text/unseen.ts';

/**
 * A stranger's text as a model or a person may read it: nothing in it that a person would not see. Line breaks and tabs stay.
 * What is clean is returned as it is, so cleaning twice changes nothing.
 */
export function cleanText(text: string): string {
  if (isPlain(text)) return text;
  return replaceUnseen(text.replace(LINE_BREAKS, '\n'), 'lines', nothing);
}

const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const nothing = (): string => '';

/** The same for a text whose line breaks are its own: only what nobody would see goes. */
export function withoutUnseen(text: string): string {
  return replaceUnseen(text, 'returns', nothing);
}

/** Whether a text holds something a person would not see. */
export function hidesSomething(text: string): boolean {
  return !isPlain(text) && cleanText(text) !== text;
}

/** Stands where the rest of a text was left out. */
export const CUT_MARK = '… (cut)';

/** At most so many UTF-16 units, the mark included. A character is never cut in two. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : beginning(text, maxChars) + CUT_MARK;
}

/** Cleaned and cut. Of a text of a hundred megabytes only the beginning is looked at. `leaveOut` goes before it is cut. */
export function cleanAndCut(text: string, maxChars: number, leaveOut?: RegExp): string {
  const looked = text.slice(0, maxChars * LOOK_AHEAD);
  const clean = leaveOut ? cleanText(looked).replace(leaveOut, '').trim() : cleanText(looked).trim();
  if (looked.length === text.length) return cutText(clean, maxChars);
  return beginning(clean, maxChars) + CUT_MARK;
}

/** Smaller, and a text that begins with many unseen characters would be cut too early. */
const LOOK_AHEAD = 8;

function beginning(text: string, maxChars: number): string {
  let end = Math.max(0, Math.min(text.length, maxChars - CUT_MARK.length));
  if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end).trimEnd();
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
