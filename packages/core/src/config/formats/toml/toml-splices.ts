/** One change of a TOML text, as splices that leave everything else alone. */
import { type Change, isTable, type Table } from '../changes.ts';
import { appendItem, type CommaList, removeItem } from '../comma-list.ts';
import type { Path } from '../document.ts';
import { indentationAt, lineEnd, type Splice } from '../splice.ts';
import { endOfPieces, firstRow, removePieces } from './toml-pieces.ts';
import { renderDocument, renderInline, renderRow, renderSections, wantsHeader } from './toml-render.ts';
import { type Brackets, nodeAt, type Section, type TomlNode, type TomlTable, writtenOf } from './toml-tree.ts';

export function tomlSplices(text: string, root: TomlTable, change: Change): readonly Splice[] {
  if (change.kind === 'insert') return insertAt(text, root, change.path, change.value);
  const node = nodeAt(root, change.path);
  if (!node) return [];
  const written = writtenOf(node);
  if (change.kind === 'replace' && change.path.length === 0) return rewrite(text, change.value);
  if (change.kind === 'replace' && written)
    return [{ from: written.from, to: written.to, text: renderInline(change.value) }];
  // What headers and dotted keys make has no one place: it goes first, and is inserted as something new then.
  if (written?.home.kind !== 'brackets') return removePieces(text, node);
  return removeItem(
    text,
    listOf(written.home),
    written.home.items.findIndex(item => item.from === written.whole.from),
  );
}

function insertAt(text: string, root: TomlTable, path: Path, value: unknown): readonly Splice[] {
  const holder = nodeAt(root, path.slice(0, -1));
  const step = path.at(-1);
  if (!holder || holder.kind === 'leaf' || step === undefined) return [];
  if (holder.kind === 'list') {
    if (holder.brackets) return appendTo(text, holder.brackets, renderInline(value), '');
    return isTable(value) ? insertSections(text, holder, path.slice(0, -1), [value]) : [];
  }
  const { origin, members } = holder;
  const key = String(step);
  if (origin.by === 'brackets') return appendTo(text, origin.brackets, renderRow([key], value), ' ');
  if (origin.by === 'dots') {
    const row = renderRow([...origin.keys, key], value);
    return origin.home.kind === 'brackets'
      ? appendTo(text, origin.home, row, ' ')
      : insertRow(text, root, origin.home, row);
  }
  const sibling = [...members.values()].findLast(member => member.kind === 'table');
  const bracketed = sibling?.kind === 'table' && sibling.origin.by === 'brackets';
  const asSections = isTable(value) && sibling ? !bracketed : wantsHeader(path, value);
  if (asSections) return insertSections(text, holder, path, value as Table);
  if (origin.by === 'way') return insertSections(text, holder, path.slice(0, -1), { [key]: value });
  return insertRow(text, root, origin.section, renderRow([key], value));
}

function insertRow(text: string, root: TomlTable, { header, rows }: Section, row: string): Splice[] {
  const last = rows.at(-1) ?? header;
  if (!last) return [firstRow(text, root, row)];
  const end = lineEnd(text, last.to);
  return [{ from: end, to: end, text: `\n${indentationAt(text, last.from)}${row}` }];
}

function insertSections(text: string, holder: TomlNode, path: Path, value: Table | readonly Table[]): Splice[] {
  const keys = path.filter(step => typeof step === 'string');
  const rendered = renderSections(keys, value);
  if (text.trim() === '') return [{ from: 0, to: text.length, text: `${rendered}\n` }];
  const end = endOfPieces(text, holder);
  return [{ from: end, to: end, text: `\n\n${rendered}` }];
}

function appendTo(text: string, brackets: Brackets, item: string, padding: string): Splice[] {
  return appendItem(text, listOf(brackets), { ownLine: false, step: '  ', padding, render: () => item });
}

function listOf({ written, items }: Brackets): CommaList {
  return { inside: { from: written.from + 1, to: written.to - 1 }, items, comments: 'hash' };
}

/** Only when nothing less would do: comments are lost. */
function rewrite(text: string, value: unknown): Splice[] {
  return [{ from: 0, to: text.length, text: `${renderDocument(value as Table)}\n` }];
}
