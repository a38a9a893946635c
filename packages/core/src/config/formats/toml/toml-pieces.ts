/** The lines of a TOML text that a table or list is made of, however far apart they stand. */
import type { Span } from '../comma-list.ts';
import { isBlankLine, lineEnd, lineStart, nextLine, removeLines, type Splice } from '../splice.ts';
import { type Section, type TomlNode, type TomlTable, writtenOf } from './toml-tree.ts';

/** Takes out every line of it; comments between its lines go too, those above it stay. */
export function removePieces(text: string, node: TomlNode): Splice[] {
  const joined: Span[] = [];
  for (const piece of piecesOf(text, node).toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    const adjoins = last && (piece.from <= last.to || text.slice(last.to, piece.from).trim() === '');
    if (adjoins) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, piece.to) };
    else joined.push(piece);
  }
  return joined.map(({ from, to }) => removeLines(text, from, to));
}

/** Where something can follow that belongs to it. */
export function endOfPieces(text: string, node: TomlNode): number {
  if (node.kind === 'table' && node.origin.by === 'section' && !node.origin.section.header)
    return text.trimEnd().length;
  return piecesOf(text, node).reduce((end, piece) => Math.max(end, piece.to), 0);
}

/** A first row before the first header, above the comments that stand directly over that. */
export function firstRow(text: string, root: TomlTable, row: string): Splice {
  if (root.members.size === 0) {
    const end = text.trimEnd().length;
    return { from: end, to: text.length, text: `${end === 0 ? '' : '\n\n'}${row}\n` };
  }
  let line = lineStart(text, Math.min(...[...root.members.values()].map(member => member.place)));
  while (line > 0 && isComment(text, lineStart(text, line - 1))) line = lineStart(text, line - 1);
  return { from: line, to: line, text: `${row}\n\n` };
}

function piecesOf(text: string, node: TomlNode): Span[] {
  const written = writtenOf(node);
  if (written) return [written.whole];
  if (node.kind === 'leaf') return [];
  const below = node.kind === 'list' ? node.items : [...node.members.values()];
  const pieces = below.flatMap(member => piecesOf(text, member));
  if (node.kind === 'table' && node.origin.by === 'section') pieces.push(linesOf(text, node.origin.section));
  return pieces;
}

function linesOf(text: string, { header, rows }: Section): Span {
  const first = header ?? rows[0] ?? { from: 0, to: 0 };
  const end = lineEnd(text, (rows.at(-1) ?? first).to);
  let below = end;
  for (let line = nextLine(text, end); line < text.length && !isBlankLine(text, line); line = nextLine(text, line)) {
    // A comment directly above the next header is about that.
    if (!isComment(text, line)) return { from: first.from, to: end };
    below = lineEnd(text, line);
  }
  return { from: first.from, to: below };
}

function isComment(text: string, line: number): boolean {
  return text.slice(line, lineEnd(text, line)).trimStart().startsWith('#');
}
