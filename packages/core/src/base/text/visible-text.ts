import { replaceUnseen } from './unseen.ts';

/**
 * A stranger's value as one line that hides nothing: characters that nobody sees, or that turn others round, are written
 * out. For whoever has to decide about it; where it is only read, `plainText` leaves them out.
 */
export function visibleText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return replaceUnseen(text, 'none', sign => (sign === '\n' ? '\\n' : `\\u{${sign.codePointAt(0)?.toString(16)}}`));
}
