import { replaceUnseen } from './unseen.ts';

/**
 * A stranger's text as it may stand on a terminal or in a log: no control characters that move the cursor or change
 * colours, none that hide or turn letters round, and no longer than asked for. Line breaks stay where lines are wanted.
 */
export function plainText(text: string, { maxChars, lines = false }: PlainTextOptions): string {
  // Cut first: a text of a hundred megabytes is not searched to the end for what nobody will see.
  const cut = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  const visible = replaceUnseen(cut, 'breaks', () => '');
  return lines ? visible.replace(/\r\n?/g, '\n').replace(BREAKS_BUT_NEWLINE, ' ') : visible.replace(BREAKS, ' ');
}

export interface PlainTextOptions {
  readonly maxChars: number;
  /** Whether it may be more than one line. */
  readonly lines?: boolean;
}

const BREAKS = /[\t\n\v\f\r\u2028\u2029\u0085]+/g;
const BREAKS_BUT_NEWLINE = /[\t\v\f\u2028\u2029\u0085]+/g;
