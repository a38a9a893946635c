/** Tables for a terminal. Pure. */
import { plainText } from '@junctor/core/light';
import { widthOf } from '../show/width.ts';

/** As wide as their widest cell, two spaces apart. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = widthsOf([head, ...rows]);
  return [head, ...rows]
    .map(row =>
      row
        .map((cell, at) => padded(cell, widths[at]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** With lines around the cells. */
export function boxed(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = widthsOf([head, ...rows]);
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map(width => '─'.repeat(width + 2)).join(middle) + right;
  const line = (row: readonly string[]): string => `│ ${row.map((cell, at) => padded(cell, widths[at])).join(' │ ')} │`;
  return [rule('┌', '┬', '┐'), line(head), rule('├', '┼', '┤'), ...rows.map(line), rule('└', '┴', '┘')].join('\n');
}

/** A stranger's words in a cell. */
export function cell(text: string, maxChars = 100): string {
  return plainText(text, { maxChars });
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => widthOf(row[at] ?? ''))));
}

function padded(text: string, width = 0): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
