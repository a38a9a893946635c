/** One change of a JSON text, as splices that leave everything else alone. */
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { Change } from './changes.ts';
import { appendItem, type CommaList, removeItem } from './comma-list.ts';
import { type JsonStyle, renderJson, styleOf } from './json-render.ts';
import { indentationAt, type Splice } from './splice.ts';

export function jsonSplices(text: string, tree: Node, change: Change): Splice[] {
  const style = styleOf(text);
  if (change.kind === 'replace') return replace(text, tree, change, style);
  const holder = findNodeAtLocation(tree, change.path.slice(0, -1));
  const step = change.path.at(-1);
  if (!holder || step === undefined) return [];
  const list = listOf(holder);
  if (change.kind === 'remove') return removeItem(text, list, positionOf(holder, step));
  const key = typeof step === 'string' ? `${JSON.stringify(step)}: ` : '';
  return appendItem(text, list, {
    ownLine: !style.oneLine,
    step: style.step,
    padding: holder.type === 'object' ? ' ' : '',
    render: indentation => key + renderJson(change.value, style, indentation),
  });
}

function replace(text: string, tree: Node, { path, value }: Change & { kind: 'replace' }, style: JsonStyle): Splice[] {
  const node = findNodeAtLocation(tree, [...path]);
  if (!node) return [];
  const begin = node.parent?.type === 'property' ? node.parent.offset : node.offset;
  const rendered = renderJson(value, style, indentationAt(text, begin));
  return [{ from: node.offset, to: node.offset + node.length, text: rendered }];
}

function positionOf(holder: Node, step: string | number): number {
  if (typeof step === 'number') return step;
  return (holder.children ?? []).findIndex(property => property.children?.[0]?.value === step);
}

function listOf(node: Node): CommaList {
  return {
    inside: { from: node.offset + 1, to: node.offset + node.length - 1 },
    items: (node.children ?? []).map(({ offset, length }) => ({ from: offset, to: offset + length })),
    comments: 'slashes',
  };
}
