/** Between paths, such as `servers.fs.args[0]`, and places in the text. The tree is there while the text is not yet JSON. */
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

type Node = ReturnType<typeof syntaxTree>['topNode'];

/** A text longer than can be read in this time is marked only as far as it was read. */
const READING_MS = 200;

const VALUES = ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'];

export function rootOf(state: EditorState): Node {
  return (ensureSyntaxTree(state, state.doc.length, READING_MS) ?? syntaxTree(state)).topNode;
}

/** Where a path leads, or as far as there is something of it. */
export function rangeAt(state: EditorState, path: string): { from: number; to: number } {
  let node = rootOf(state).getChild('Object');
  let rest = path;
  let range = { from: 0, to: Math.min(1, state.doc.length) };
  while (node && rest !== '') {
    const found = node.name === 'Array' ? itemOf(node, rest) : propertyOf(state, node, rest);
    if (!found) break;
    range = { from: found.range.from, to: found.range.to };
    rest = rest.slice(found.length).replace(/^\./, '');
    node = found.value;
  }
  return range;
}

/** The steps from the root to a value. */
export function pathTo(state: EditorState, node: Node): (string | number)[] {
  const { parent } = node;
  if (!parent) return [];
  if (parent.name === 'Property') return [...pathTo(state, parent), keyOf(state, parent)];
  if (parent.name === 'Array')
    return [...pathTo(state, parent), itemsOf(parent).findIndex(({ from }) => from === node.from)];
  return pathTo(state, parent);
}

/** What is written so far, as far as it can be read. */
export function writtenValue(state: EditorState, node: Node | null): unknown {
  switch (node?.name) {
    case 'Object':
      return Object.fromEntries(
        node.getChildren('Property').map(property => [keyOf(state, property), writtenValue(state, valueIn(property))]),
      );
    case 'Array':
      return itemsOf(node).map(item => writtenValue(state, item));
    case 'String':
      return textOf(state, node);
    case 'Number':
      return Number(state.sliceDoc(node.from, node.to));
    case 'True':
      return true;
    case 'False':
      return false;
    case 'Null':
      return null;
    default:
      return undefined;
  }
}

function valueIn(property: Node): Node | null {
  const { lastChild } = property;
  return lastChild && VALUES.includes(lastChild.name) ? lastChild : null;
}

function itemsOf(array: Node): Node[] {
  return VALUES.flatMap(name => array.getChildren(name)).sort((a, b) => a.from - b.from);
}

function keyOf(state: EditorState, property: Node): string {
  const name = property.getChild('PropertyName');
  return name ? textOf(state, name) : '';
}

function textOf(state: EditorState, { from, to }: Node): string {
  const written = state.sliceDoc(from, to);
  try {
    return String(JSON.parse(written));
  } catch {
    return written.slice(1, -1);
  }
}

interface Found {
  readonly range: { readonly from: number; readonly to: number };
  readonly value: Node | null;
  /** How much of the path it is. */
  readonly length: number;
}

/** A key may hold a dot: the longest that fits is meant. */
function propertyOf(state: EditorState, object: Node, path: string): Found | undefined {
  const fits = (key: string): boolean => path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`);
  const [property] = object
    .getChildren('Property')
    .filter(one => fits(keyOf(state, one)))
    .sort((a, b) => keyOf(state, b).length - keyOf(state, a).length);
  if (!property) return undefined;
  const value = valueIn(property);
  const name = property.getChild('PropertyName') ?? property;
  const isLeaf = value !== null && value.name !== 'Object' && value.name !== 'Array';
  return { range: isLeaf ? property : name, value, length: keyOf(state, property).length };
}

function itemOf(array: Node, path: string): Found | undefined {
  const [step, index] = /^\[(\d+)\]/.exec(path) ?? [];
  const item = step === undefined ? undefined : itemsOf(array)[Number(index)];
  return item && { range: item, value: item, length: (step as string).length };
}
