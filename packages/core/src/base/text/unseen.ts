/**
 * Which characters of a text a person does not see: controls, marks that join, hide or turn letters, tag characters,
 * selectors, fillers, and halves of characters. Every surface asks here; they differ only in the white space they keep.
 */
import { latePattern } from './late-pattern.ts';

const UNSEEN = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]`;

/** By the white space that is kept. */
const PATTERNS = {
  none: latePattern(UNSEEN, 'gu'),
  lines: latePattern(String.raw`(?![\t\n])${UNSEEN}`, 'gu'),
  returns: latePattern(String.raw`(?![\t\n\r\u2028\u2029])${UNSEEN}`, 'gu'),
  breaks: latePattern(String.raw`(?![\t\n\v\f\r\u0085\u2028\u2029])${UNSEEN}`, 'gu'),
};

export function replaceUnseen(
  text: string,
  kept: keyof typeof PATTERNS,
  replacement: (character: string) => string,
): string {
  return kept !== 'none' && isPlain(text) ? text : text.replace(PATTERNS[kept](), replacement);
}

/** A JSON text in which everything unseen is written as an escape: it stays the same document. */
export function escapeUnseen(json: string): string {
  return replaceUnseen(json, 'lines', escaped);
}

/** As JSON writes it: a character of two units takes two escapes. */
function escaped(character: string): string {
  let written = '';
  for (let at = 0; at < character.length; at++)
    written += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return written;
}

/** Nearly every text is plain, and testing for that is ten times quicker than looking for what is unseen. */
export function isPlain(text: string): boolean {
  if (text.length > SHORT) return PLAIN.test(text);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7e || (unit < 0x20 && unit !== 0x09 && unit !== 0x0a)) return false;
  }
  return true;
}

/** Below it, calling a regular expression takes longer than looking. */
const SHORT = 40;
const PLAIN = /^[\t\n -~]*$/;
