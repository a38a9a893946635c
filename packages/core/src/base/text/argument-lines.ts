/** The arguments of a call, a line each, for a person who decides about it. What is long keeps both its ends. Pure. */
import { headAndTail } from './head-and-tail.ts';
import { visibleText } from './visible-text.ts';

export interface ArgumentLinesOptions {
  /** Texts in quotes, as JSON has them. */
  readonly quoted?: boolean;
  /** Of one line. Default: all. */
  readonly maxChars?: number;
  /** Default: all. */
  readonly maxLines?: number;
}

export interface ArgumentLines {
  readonly lines: readonly string[];
  /** Something was left out: there must be a way to read it. */
  readonly isCut: boolean;
}

/** `path: "/tmp/a"`. The arguments are masked already. */
export function argumentLines(args: unknown, options: ArgumentLinesOptions = {}): ArgumentLines {
  const { quoted = false, maxChars = Number.POSITIVE_INFINITY, maxLines = Number.POSITIVE_INFINITY } = options;
  const whole = linesOf(args, quoted);
  const cut = whole.map(line => headAndTail(line, maxChars));
  const tail = Math.floor(maxLines / 3);
  const lines =
    cut.length <= maxLines
      ? cut
      : [
          ...cut.slice(0, maxLines - tail),
          `… (${cut.length - maxLines} of ${cut.length} arguments left out) …`,
          ...cut.slice(-tail),
        ];
  return { lines, isCut: lines.length !== whole.length || lines.some((line, at) => line !== whole[at]) };
}

function linesOf(args: unknown, quoted: boolean): string[] {
  if (args === undefined) return [];
  if (typeof args !== 'object' || args === null) return [visibleText(args)];
  return Object.entries(args).map(
    ([name, value]) => `${visibleText(name)}: ${visibleText(quoted ? JSON.stringify(value) : value)}`,
  );
}
