/** From the parser's nodes and tokens to the stretches of text that our tree is made of. */
import { type CST, isSeq, type Node, type Pair, Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Span } from '../comma-list.ts';
import { lineStart } from '../splice.ts';
import { endOf, type YamlEntry, type YamlNode } from './yaml-tree.ts';

export type YamlPair = Pair<Node | null, Node | null>;

export function scalarNode(text: string, { range, type }: Scalar): YamlNode {
  const [from, end] = range ?? [0, 0];
  if (from === end) return { kind: 'none', from, to: end };
  if (type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED) {
    const lineBreak = /\r?\n$/.exec(text.slice(from, end))?.[0].length ?? 0;
    return { kind: 'scalar', from, to: end - lineBreak, quote: undefined };
  }
  const quote = type === Scalar.QUOTE_SINGLE ? 'single' : type === Scalar.QUOTE_DOUBLE ? 'double' : undefined;
  return { kind: 'scalar', from, to: end, quote };
}

export function collectionNode(text: string, node: YAMLMap | YAMLSeq, entries: readonly YamlEntry[]): YamlNode {
  const [from, end] = node.range ?? [0, 0];
  const flow = node.srcToken?.type === 'flow-collection';
  const [first] = entries;
  const last = entries.at(-1);
  return {
    kind: flow ? 'flow' : 'block',
    shape: isSeq(node) ? 'list' : 'map',
    from,
    to: flow || !last ? end : endOf(last),
    indent: first ? first.from - lineStart(text, first.from) : 0,
    entries,
  };
}

export function pairEntry(pair: YamlPair, name: string | undefined, node: YamlNode): YamlEntry {
  const colon = pair.srcToken?.sep?.find(token => token.type === 'map-value-ind');
  const after = colon ? colon.offset + 1 : (pair.key?.range?.[1] ?? 0);
  return { from: pairStart(pair), name, after, props: props(pair.srcToken?.sep, after), node };
}

export function pairStart({ key, srcToken }: YamlPair): number {
  const written = srcToken?.start.find(token => LEADING.has(token.type));
  return written?.offset ?? key?.range?.[0] ?? srcToken?.sep?.[0]?.offset ?? 0;
}

/** The tokens of what the parser made items of; the last token of a list may hold nothing but a comment. */
export function itemTokens(list: YAMLSeq): CST.CollectionItem[] {
  const source = list.srcToken as CST.BlockSequence | CST.FlowCollection | undefined;
  return (source?.items ?? []).filter(({ start, value, key, sep }) => {
    return value || key || sep || start.some(token => LEADING.has(token.type));
  });
}

export function itemEntry(tokens: CST.CollectionItem | undefined, node: YamlNode): YamlEntry {
  const dash = tokens?.start.find(token => token.type === 'seq-item-ind');
  const written = tokens?.start.find(token => LEADING.has(token.type));
  const from = written?.offset ?? node.from;
  return { from, name: undefined, after: dash ? dash.offset + 1 : from, props: props(tokens?.start, from), node };
}

const LEADING = new Set<CST.SourceToken['type']>(['anchor', 'tag', 'explicit-key-ind', 'seq-item-ind']);

function props(tokens: readonly CST.SourceToken[] | undefined, from: number): Span[] {
  return (tokens ?? [])
    .filter(({ type, offset }) => offset >= from && (type === 'anchor' || type === 'tag'))
    .map(({ offset, source }) => ({ from: offset, to: offset + source.length }));
}
