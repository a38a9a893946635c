/** Changes of what is written with indentation in a YAML text. */
import { beginsItsLine, indentationAt, lineEnd, lineStart, nextLine, removeLines, type Splice } from '../splice.ts';
import { isBlockValue, renderBlock, renderInline, renderItem, renderPair } from './yaml-render.ts';
import { endOf, type Holder, type YamlCollection, type YamlEntry, type YamlNode } from './yaml-tree.ts';

export function appendToBlock(
  text: string,
  collection: YamlCollection,
  step: string | number,
  value: unknown,
): Splice[] {
  const indentation = ' '.repeat(collection.indent);
  const rendered =
    typeof step === 'number'
      ? renderItem(value, indentation, stepOf(text))
      : renderPair(step, value, indentation, stepOf(text));
  const end = withCommentsBelow(text, collection.to, collection.indent);
  return [insert(end, `\n${indentation}${rendered}`)];
}

export function replaceRoot(text: string, root: YamlNode, value: unknown): Splice[] {
  const rendered = isBlockValue(value) ? renderBlock(value, '', stepOf(text)) : renderInline(value);
  if (root.kind === 'none') {
    const gap = text === '' || text.endsWith('\n') ? '' : '\n';
    return [insert(text.length, `${gap}${rendered}\n`)];
  }
  return [{ from: root.from, to: root.to, text: beginsItsLine(text, root.from) ? rendered : `\n${rendered}` }];
}

export function replaceInBlock(
  text: string,
  { indent, shape }: YamlCollection,
  entry: YamlEntry,
  value: unknown,
): Splice[] {
  const { after, node, props } = entry;
  const sameLine = node.kind === 'none' || !text.slice(after, node.from).includes('\n');
  const from = sameLine ? (props[0]?.from ?? node.from) : node.from;
  const oldTags = sameLine ? [] : props.map(prop => ({ ...prop, text: '' }));
  if (!isBlockValue(value)) {
    const rendered = renderInline(value, node.kind === 'scalar' ? node.quote : undefined);
    if (node.kind === 'none') return [{ from: after, to: endOf(entry), text: ` ${rendered}` }];
    if (sameLine) return [{ from, to: node.to, text: rendered }];
    return [insert(after, ` ${rendered}`), ...oldTags, removeLines(text, node.from, node.to)];
  }
  if (sameLine && shape === 'list' && node.kind !== 'none') {
    const column = ' '.repeat(from - lineStart(text, from));
    return [{ from, to: node.to, text: renderBlock(value, column, stepOf(text)) }];
  }
  const indentation = ' '.repeat(indent) + stepOf(text);
  const rendered = indentation + renderBlock(value, indentation, stepOf(text));
  if (!sameLine) return [...oldTags, { from: lineStart(text, node.from), to: node.to, text: rendered }];
  return [{ from: after, to: endOf(entry), text: '' }, insert(lineEnd(text, endOf(entry)), `\n${rendered}`)];
}

export function removeFromBlock(text: string, { collection, entry: outer }: Holder, entry: YamlEntry): Splice[] {
  const own = { from: entry.from, to: endOf(entry) };
  if (collection.entries.length === 1) {
    const nothing = collection.shape === 'map' ? '{}' : '[]';
    if (!outer || !text.slice(outer.after, entry.from).includes('\n')) return [{ ...own, text: nothing }];
    const end = withCommentsBelow(text, own.to, collection.indent + 1);
    return [insert(outer.props.at(-1)?.to ?? outer.after, ` ${nothing}`), removeLines(text, own.from, end)];
  }
  const end = withCommentsBelow(text, own.to, collection.indent + 1);
  if (beginsItsLine(text, own.from)) return [removeLines(text, own.from, end)];
  // The first key of a map in a list shares its line with the dash: the next one, or its comment, takes the place.
  const gap = /^\s*/.exec(text.slice(end))?.[0].length ?? 0;
  return [{ from: own.from, to: end + gap, text: '' }];
}

/** The end of the last of the comment lines that follow at once and are indented at least so far. */
function withCommentsBelow(text: string, offset: number, indent: number): number {
  let end = lineEnd(text, offset);
  for (let line = nextLine(text, end); line < text.length; line = nextLine(text, line)) {
    const indentation = indentationAt(text, line);
    if (indentation.length < indent || text[line + indentation.length] !== '#') break;
    end = lineEnd(text, line);
  }
  return end;
}

/** One step of indentation, as the first nested line has it. */
function stepOf(text: string): string {
  for (const match of text.matchAll(/^( *)(?:- +)?[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\r?\n( +)[^\s#-]/gm)) {
    const [, outer = '', inner = ''] = match;
    if (inner.length > outer.length) return inner.slice(outer.length);
  }
  return '  ';
}

function insert(offset: number, text: string): Splice {
  return { from: offset, to: offset, text };
}
