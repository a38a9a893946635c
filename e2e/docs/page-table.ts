/** Tables of a page, for tests that hold them against the program. */
import { readPage } from './run-page.ts';

/** The rows of the table whose head begins with these cells. */
export function tableOf(page: string, ...head: readonly string[]): string[][] {
  const tables = readPage(page).match(/(?:^\|.*\|\n)+/gm) ?? [];
  const rows = tables
    .map(table => table.trimEnd().split('\n').map(cellsOf))
    .find(([heads = []]) => head.every((cell, index) => heads[index] === cell));
  if (!rows) throw new Error(`${page} has no table that begins with ${head.join(', ')}`);
  return rows.slice(2);
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map(cell => cell.trim());
}

/** As these pages write words and names that are typed as they stand. */
export function code(text: string): string {
  return `\`${text}\``;
}
