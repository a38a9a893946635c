/** What stands where in a YAML text, in the terms that editing and locating need. */

import type { Span } from '../comma-list.ts';

export interface YamlTree {
  readonly text: string;
  readonly value: unknown;
  readonly root: YamlNode;
}

/** `from` and `to` enclose what is written, without comments and line breaks around it. */
export type YamlNode = Span &
  (
    | { readonly kind: 'none' }
    | { readonly kind: 'scalar'; readonly quote: Quote }
    | { readonly kind: 'alias'; readonly target: YamlNode }
    | YamlCollection
  );

export type Quote = 'single' | 'double' | undefined;

export type YamlCollection = Span & {
  readonly kind: 'block' | 'flow';
  readonly shape: 'map' | 'list';
  /** Columns before its entries; of no meaning in flow. */
  readonly indent: number;
  readonly entries: readonly YamlEntry[];
};

/** A key with its value, or an item of a list. */
export interface YamlEntry {
  /** The key, or the dash, with what is written before it. */
  readonly from: number;
  /** Undefined in lists. */
  readonly name: string | undefined;
  /** Behind the colon or the dash; behind the key where there is none. */
  readonly after: number;
  /** Anchors and tags of the value. */
  readonly props: readonly Span[];
  readonly node: YamlNode;
}

/** A collection, and the entry that holds it; the root has none. */
export interface Holder {
  readonly collection: YamlCollection;
  readonly entry: YamlEntry | undefined;
  readonly holder: Holder | undefined;
}

export function entryAt(node: YamlNode, step: PropertyKey): YamlEntry | undefined {
  if (node.kind !== 'block' && node.kind !== 'flow') return undefined;
  if (node.shape === 'list') return typeof step === 'number' ? node.entries[step] : undefined;
  return node.entries.find(entry => entry.name === String(step));
}

export function endOf(entry: YamlEntry): number {
  return Math.max(entry.after, entry.props.at(-1)?.to ?? 0, entry.node.kind === 'none' ? 0 : entry.node.to);
}

/**
 * The offset of what stands at a path, or of the nearest thing around it that exists. What an alias repeats is at its
 * anchor: that is where it can be mended.
 */
export function offsetInYaml(tree: YamlTree, path: readonly PropertyKey[]): number {
  let node = tree.root;
  let offset = node.from;
  for (const step of path) {
    const entry = entryAt(node.kind === 'alias' ? node.target : node, step);
    if (!entry) break;
    offset = entry.name === undefined ? Math.max(entry.node.from, entry.from) : entry.from;
    node = entry.node;
  }
  return offset;
}
