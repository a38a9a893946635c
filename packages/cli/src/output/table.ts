import { visibleText } from '@junctor/core/light';

/**
 * Columns for people: as wide as their widest cell, two spaces apart, no trailing space. On a terminal of so many columns the
 * last cells are cut, not broken over the edge, as long as enough of them is left to be read.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], columns?: number): string {
  const lines = columns === undefined ? [head, ...rows] : cutToFit([head, ...rows], columns);
  const widths = head.map((_, column) => Math.max(...lines.map(line => (line[column] ?? '').length)));
  return lines
    .map(line =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The same with a column for the projects of the rows, where any has one. */
export function tableOfProjects(
  head: readonly string[],
  rows: readonly { readonly cells: readonly string[]; readonly project?: string | null }[],
): string {
  const isShown = rows.some(({ project }) => project != null);
  return table(
    isShown ? [...head, 'PROJECT'] : head,
    rows.map(({ cells, project }) => (isShown ? [...cells, visibleText(project ?? '-')] : cells)),
  );
}

const ROOM_FOR_LAST = 20;

function cutToFit(lines: readonly (readonly string[])[], columns: number): readonly (readonly string[])[] {
  const last = (lines[0]?.length ?? 1) - 1;
  const before = lines.map(line => line.slice(0, last));
  const taken = Array.from({ length: last }, (_, at) => Math.max(...before.map(line => (line[at] ?? '').length)) + 2);
  const room = columns - taken.reduce((sum, width) => sum + width, 0);
  if (room < ROOM_FOR_LAST) return lines;
  return lines.map((line, index) => [...(before[index] ?? []), oneLine(line[last] ?? '', room)]);
}

/** In lines of at most `width` characters, broken between words; all but the first begin with the indentation. */
export function folded(text: string, width: number, indentation: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${indentation}`);
}

/** One line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // Half of a sign that takes two places would show as a broken one.
  return line.length > width ? `${line.slice(0, width - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}
