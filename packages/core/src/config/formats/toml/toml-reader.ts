/** Walks what the TOML parser made of a text, and notes what is defined twice, which TOML allows nowhere. */
import type { TomlDocument } from '@decimalturn/toml-patch';
import type { Problem } from '../../problem.ts';
import type { Span } from '../comma-list.ts';
import type { DuplicateKey, Path } from '../document.ts';
import { LineTable } from '../line-table.ts';
import { deepProblem, duplicateProblem, MAX_DEPTH } from '../problems.ts';
import type { Brackets, Section, TableOrigin, TomlList, TomlNode, TomlTable, Written } from './toml-tree.ts';

export type Block = TomlDocument['cst'][number];
type KeyValue = Extract<Block, { equals: number }>;
type Header = Exclude<Block, KeyValue | { raw: string }>;
type Value = KeyValue['value'];
type Home = Section | Brackets;

export interface TomlDuplicate extends DuplicateKey {
  /** What stands there the second time; undefined where it is something inside that. */
  readonly other: TomlNode | undefined;
}

interface Located {
  readonly loc: { readonly start: Point; readonly end: Point };
}
interface Point {
  readonly line: number;
  readonly column: number;
}

export class TomlReader {
  readonly problems: Problem[] = [];
  readonly duplicates: TomlDuplicate[] = [];
  readonly #file: string;
  readonly #places: LineTable;
  #tooDeep = false;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#places = new LineTable(text);
  }

  read(blocks: readonly Block[]): TomlTable {
    const top: Section = { kind: 'section', header: undefined, rows: [] };
    const root = newTable(0, { by: 'section', section: top });
    for (const block of blocks) {
      if ('equals' in block) this.#readRow(root, [], block, top);
      else if ('items' in block) this.#readSection(root, block);
    }
    return root;
  }

  #readSection(root: TomlTable, block: Header): void {
    const section: Section = { kind: 'section', header: this.#spanOf(block.key), rows: [] };
    const keys = block.key.item.value;
    const place = this.#spanOf(block.key).from;
    const holder = this.#follow(root, [], keys.slice(0, -1), place, { by: 'way' });
    const name = keys.at(-1);
    if (!holder || name === undefined) return;
    const table = this.#open(holder, name, keys, place, section, String(block.type) === 'TableArray');
    for (const row of block.items) if ('equals' in row) this.#readRow(table, keys, row, section);
  }

  #open(holder: TomlTable, name: string, path: Path, place: number, section: Section, isElement: boolean): TomlTable {
    const element = newTable(place, { by: 'section', section });
    const existing = holder.members.get(name);
    if (isElement) {
      const list: TomlNode = existing ?? { kind: 'list', items: [], place, brackets: undefined };
      if (list.kind !== 'list' || list.brackets) this.#twice(path, list.place, place, element);
      else {
        holder.members.set(name, list);
        list.items.push(element);
      }
      return element;
    }
    if (existing && (existing.kind !== 'table' || existing.origin.by !== 'way')) {
      this.#twice(path, existing.place, place, element);
      return element;
    }
    const table = existing ?? element;
    table.origin = { by: 'section', section };
    holder.members.set(name, table);
    return table;
  }

  #readRow(holder: TomlTable, base: Path, row: KeyValue, home: Home): void {
    const keys = row.key.value;
    const whole = this.#spanOf(row);
    const path = [...base, ...keys];
    if (home.kind === 'section') home.rows.push(whole);
    const table = this.#follow(holder, base, keys.slice(0, -1), whole.from, { by: 'dots', keys: [], home });
    const name = keys.at(-1);
    if (!table || name === undefined) return;
    const existing = table.members.get(name);
    const value = this.#readValue(row.value, path, { ...this.#spanOf(row.value), whole, home });
    if (existing) this.#twice(path, existing.place, whole.from, value);
    else table.members.set(name, value);
  }

  /** Goes down to the table with this name, making those that are not there. Undefined where something else is in the way. */
  #follow(
    from: TomlTable,
    base: Path,
    keys: readonly string[],
    place: number,
    origin: TableOrigin,
  ): TomlTable | undefined {
    if (base.length + keys.length >= MAX_DEPTH) return this.#stopTooDeep(place);
    let table = from;
    for (const [index, key] of keys.entries()) {
      const made = origin.by === 'dots' ? { ...origin, keys: keys.slice(0, index + 1) } : origin;
      const existing = table.members.get(key) ?? newTable(place, made);
      const next = existing.kind === 'list' && !existing.brackets ? existing.items.at(-1) : existing;
      const isOpen =
        next?.kind === 'table' && (origin.by === 'way' ? next.origin.by !== 'brackets' : next.origin.by === 'dots');
      if (!isOpen) return this.#twice([...base, ...keys.slice(0, index + 1)], existing.place, place);
      table.members.set(key, existing);
      table = next;
    }
    return table;
  }

  #readValue(value: Value, path: Path, written: Written): TomlNode {
    const place = written.whole.from;
    if (!('items' in value)) return { kind: 'leaf', place, value: leafValue(value), written };
    const brackets: Brackets = { kind: 'brackets', written, items: [] };
    const isTable = String(value.type) === 'InlineTable';
    const table = newTable(place, { by: 'brackets', brackets });
    const list: TomlList = { kind: 'list', items: [], place, brackets };
    if (path.length >= MAX_DEPTH) this.#stopTooDeep(place);
    if (this.#tooDeep) return table;
    for (const [index, { item }] of value.items.entries()) {
      const span = this.#spanOf(item);
      brackets.items.push(span);
      if (isTable) this.#readRow(table, path, item as KeyValue, brackets);
      else list.items.push(this.#readValue(item as Value, [...path, index], { ...span, whole: span, home: brackets }));
    }
    return isTable ? table : list;
  }

  #twice(path: Path, first: number, second: number, other?: TomlNode): undefined {
    const places = { first: this.#places.at(first), second: this.#places.at(second) };
    this.duplicates.push({ path, problem: duplicateProblem(this.#file, path, places), other });
  }

  /** Nothing after such a problem is worth reading. */
  #stopTooDeep(place: number): undefined {
    if (this.#tooDeep) return;
    this.problems.splice(0, this.problems.length, deepProblem(this.#file, this.#places.at(place)));
    this.#tooDeep = true;
  }

  #spanOf({ loc: { start, end } }: Located): Span {
    const offset = ({ line, column }: Point): number => this.#places.offset({ line, column: column + 1 });
    return { from: offset(start), to: offset(end) };
  }
}

function newTable(place: number, origin: TableOrigin): TomlTable {
  return { kind: 'table', members: new Map(), place, origin };
}

function leafValue(value: Exclude<Value, { items: unknown[] }>): unknown {
  if (value.value instanceof Date) return 'raw' in value ? value.raw : String(value.value);
  return typeof value.value === 'bigint' ? Number(value.value) : value.value;
}
