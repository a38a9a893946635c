/** One change of a YAML text, as splices that leave everything else alone. */
import { type Change, withEdit } from '../changes.ts';
import type { Path } from '../document.ts';
import type { Splice } from '../splice.ts';
import { appendToBlock, removeFromBlock, replaceInBlock, replaceRoot } from './yaml-block.ts';
import { appendToFlow, removeFromFlow, replaceInFlow } from './yaml-flow.ts';
import { entryAt, type Holder, type YamlEntry, type YamlNode, type YamlTree } from './yaml-tree.ts';

export function yamlSplices(text: string, tree: YamlTree, change: Change): Splice[] {
  const value = change.kind === 'remove' ? undefined : change.value;
  if (tree.root.kind === 'none') return replaceRoot(text, tree.root, changedAt(tree, change.path, 0, value));
  let node: YamlNode = tree.root;
  let entry: YamlEntry | undefined;
  let holder: Holder | undefined;
  for (const [depth, step] of change.path.entries()) {
    // An alias cannot be changed without changing what it repeats: the whole value, changed, takes its place.
    if (node.kind === 'alias') return replaceAt(text, tree, holder, entry, changedAt(tree, change.path, depth, value));
    if (node.kind !== 'block' && node.kind !== 'flow') return [];
    holder = { collection: node, entry, holder };
    entry = entryAt(node, step);
    const isLast = depth === change.path.length - 1;
    if (!entry && isLast && value === undefined) return [];
    // What a merge key brings is overridden by a key of the map's own.
    if (!entry) return appendTo(text, holder, step, changedAt(tree, change.path, depth + 1, value));
    node = entry.node;
  }
  if (change.kind !== 'remove') return replaceAt(text, tree, holder, entry, value);
  if (!holder || !entry) return [];
  return holder.collection.kind === 'flow' ? removeFromFlow(text, holder, entry) : removeFromBlock(text, holder, entry);
}

function replaceAt(
  text: string,
  tree: YamlTree,
  holder: Holder | undefined,
  entry: YamlEntry | undefined,
  value: unknown,
): Splice[] {
  if (!holder || !entry) return replaceRoot(text, tree.root, value);
  if (holder.collection.kind === 'flow') return replaceInFlow(text, holder.collection, entry, value);
  return replaceInBlock(text, holder.collection, entry, value);
}

function appendTo(text: string, holder: Holder, step: string | number, value: unknown): Splice[] {
  const { collection } = holder;
  const isBracketed =
    collection.kind === 'flow' && (collection.entries.length > 0 || holder.holder?.collection.kind === 'flow');
  if (isBracketed) return appendToFlow(text, collection, step, value);
  if (collection.kind === 'block') return appendToBlock(text, collection, step, value);
  // Empty brackets only stand for a block with nothing in it.
  const whole = typeof step === 'number' ? [value] : { [step]: value };
  if (!holder.entry || !holder.holder) return replaceRoot(text, collection, whole);
  return replaceInBlock(text, holder.holder.collection, holder.entry, whole);
}

/** What stands at the first steps of the path once the change is made. */
function changedAt(tree: YamlTree, path: Path, depth: number, value: unknown): unknown {
  let found: unknown = tree.value;
  for (const step of path.slice(0, depth)) found = (found as Record<string | number, unknown> | undefined)?.[step];
  return withEdit(found, { path: path.slice(depth), value });
}
