/** Writes new values into a JSON text the way the text is written already. */
import { isTable, unwritable } from '../changes.ts';

export interface JsonStyle {
  /** One step of indentation. */
  readonly step: string;
  /** The whole text stands on one line. */
  readonly oneLine: boolean;
  /** Lists have a line for every item. */
  readonly tallLists: boolean;
}

export function styleOf(text: string): JsonStyle {
  return {
    step: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ',
    oneLine: text.length > 4 && !text.trim().includes('\n'),
    tallLists: /\[[ \t]*\r?\n/.test(text),
  };
}

const MAX_LIST_WIDTH = 100;

/** Every line but the first begins with the given indentation. */
export function renderJson(value: unknown, style: JsonStyle, indentation: string): string {
  const inner = indentation + style.step;
  if (Array.isArray(value)) {
    const items = value.map(item => renderJson(item, style, inner));
    const short = `[${items.join(', ')}]`;
    const simple = !value.some(item => typeof item === 'object' && item !== null);
    if (items.length === 0 || style.oneLine) return short;
    if (simple && !style.tallLists && inner.length + short.length <= MAX_LIST_WIDTH) return short;
    return `[\n${items.map(item => inner + item).join(',\n')}\n${indentation}]`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw unwritable([], `${value} in JSON`);
  if (!isTable(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${renderJson(item, style, inner)}`,
  );
  if (members.length === 0) return '{}';
  if (style.oneLine) return `{ ${members.join(', ')} }`;
  return `{\n${members.map(member => inner + member).join(',\n')}\n${indentation}}`;
}
