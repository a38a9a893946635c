/** Changes of what stands in brackets in a YAML text. */
import { appendItem, type CommaList, removeItem } from '../comma-list.ts';
import type { Splice } from '../splice.ts';
import { renderInline, renderText } from './yaml-render.ts';
import { endOf, type Holder, type Quote, type YamlCollection, type YamlEntry } from './yaml-tree.ts';

export function appendToFlow(
  text: string,
  collection: YamlCollection,
  step: string | number,
  value: unknown,
): Splice[] {
  const quote = quoteOf(text, collection);
  const key = typeof step === 'number' ? '' : `${renderText(step, quote)}: `;
  return appendItem(text, listOf(collection), {
    ownLine: false,
    step: '  ',
    padding: collection.shape === 'map' ? ' ' : '',
    render: () => key + renderInline(value, quote),
  });
}

export function removeFromFlow(text: string, { collection }: Holder, entry: YamlEntry): Splice[] {
  return removeItem(text, listOf(collection), collection.entries.indexOf(entry));
}

export function replaceInFlow(text: string, collection: YamlCollection, entry: YamlEntry, value: unknown): Splice[] {
  const quote = quoteOf(text, collection);
  const rendered = renderInline(value, entry.node.kind === 'scalar' ? (entry.node.quote ?? quote) : quote);
  if (entry.node.kind === 'none') {
    const key = entry.name === undefined ? '' : `${renderText(entry.name, quote)}: `;
    return [{ from: entry.from, to: endOf(entry), text: key + rendered }];
  }
  return [{ from: entry.props[0]?.from ?? entry.node.from, to: entry.node.to, text: rendered }];
}

/** Where keys are in double quotes somebody writes JSON; then what is new is JSON too. */
function quoteOf(text: string, { entries: [first], shape }: YamlCollection): Quote {
  return first && shape === 'map' && text[first.from] === '"' ? 'double' : undefined;
}

function listOf({ from, to, entries }: YamlCollection): CommaList {
  return {
    inside: { from: from + 1, to: to - 1 },
    items: entries.map(entry => ({ from: entry.from, to: endOf(entry) })),
    comments: 'hash',
  };
}
