/** What stands where in a TOML text: the tables and lists it means, and the lines and brackets each is written in. */
import type { Span } from '../comma-list.ts';

export type TomlNode = TomlTable | TomlList | TomlLeaf;

export interface TomlTable {
  readonly kind: 'table';
  readonly members: Map<string, TomlNode>;
  /** Where it is first named. */
  readonly place: number;
  /** What may still be added to it, and how, depends on the way it came about. */
  origin: TableOrigin;
}

export type TableOrigin =
  /** The file itself, or the lines under `[name]` or `[[name]]`. */
  | { readonly by: 'section'; readonly section: Section }
  /** Only named on the way to another table: `[name.other]`. */
  | { readonly by: 'way' }
  /** Only named on the way to a value: `name.other = 1`. */
  | { readonly by: 'dots'; readonly keys: readonly string[]; readonly home: Section | Brackets }
  | { readonly by: 'brackets'; readonly brackets: Brackets };

export interface TomlList {
  readonly kind: 'list';
  readonly items: TomlNode[];
  readonly place: number;
  /** Undefined for `[[name]]`. */
  readonly brackets: Brackets | undefined;
}

export interface TomlLeaf {
  readonly kind: 'leaf';
  readonly place: number;
  readonly value: unknown;
  readonly written: Written;
}

/** A value in the text, and what it is part of. */
export interface Written extends Span {
  /** With its key, where it has one. */
  readonly whole: Span;
  readonly home: Section | Brackets;
}

/** Lines that belong together: those before the first header, or a header and what follows. */
export interface Section {
  readonly kind: 'section';
  /** Undefined before the first header. */
  readonly header: Span | undefined;
  readonly rows: Span[];
}

/** An inline table or array. */
export interface Brackets {
  readonly kind: 'brackets';
  readonly written: Written;
  readonly items: Span[];
}

export function childOf(node: TomlNode, step: PropertyKey): TomlNode | undefined {
  if (node.kind === 'table') return typeof step === 'string' ? node.members.get(step) : undefined;
  return node.kind === 'list' && typeof step === 'number' ? node.items[step] : undefined;
}

export function nodeAt(root: TomlTable, path: readonly PropertyKey[]): TomlNode | undefined {
  let node: TomlNode | undefined = root;
  for (const step of path) node = node && childOf(node, step);
  return node;
}

/** The offset of what stands at a path, or of the nearest thing around it that exists. */
export function offsetInToml(root: TomlTable, path: readonly PropertyKey[]): number {
  let node: TomlNode = root;
  for (const step of path) {
    const child = childOf(node, step);
    if (!child) break;
    node = child;
  }
  return node.place;
}

/** Where a value stands that is written in one stretch; undefined for what headers and dotted keys make. */
export function writtenOf(node: TomlNode): Written | undefined {
  if (node.kind === 'leaf') return node.written;
  if (node.kind === 'list') return node.brackets?.written;
  return node.origin.by === 'brackets' ? node.origin.brackets.written : undefined;
}

export function tomlValue(node: TomlNode): unknown {
  if (node.kind === 'leaf') return node.value;
  if (node.kind === 'list') return node.items.map(tomlValue);
  const value: Record<string, unknown> = Object.create(null);
  for (const [key, member] of node.members) value[key] = tomlValue(member);
  return value;
}
