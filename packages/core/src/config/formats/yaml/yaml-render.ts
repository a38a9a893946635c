/** Writes new values as YAML that also parsers of YAML 1.1 read the same way. */
import { stringify } from 'yaml';
import { isTable } from '../changes.ts';
import type { Quote } from './yaml-tree.ts';

/** Whether a value needs lines of its own outside of brackets. */
export function isBlockValue(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Lists and maps with a line for each entry. Every line but the first begins with the given indentation. */
export function renderBlock(value: object, indentation: string, step: string): string {
  const lines = Array.isArray(value)
    ? value.map(item => renderItem(item, indentation, step))
    : Object.entries(value).map(([key, item]) => renderPair(key, item, indentation, step));
  return lines.join(`\n${indentation}`);
}

export function renderPair(key: string, value: unknown, indentation: string, step: string): string {
  if (!isBlockValue(value)) return `${renderText(key)}: ${renderInline(value)}`;
  const inner = indentation + step;
  return `${renderText(key)}:\n${inner}${renderBlock(value, inner, step)}`;
}

export function renderItem(value: unknown, indentation: string, step: string): string {
  return `- ${isBlockValue(value) ? renderBlock(value, `${indentation}  `, step) : renderInline(value)}`;
}

/** A value without lines of its own: in brackets, if it has anything in it. */
export function renderInline(value: unknown, quote?: Quote): string {
  if (typeof value === 'string') return renderText(value, quote);
  if (Array.isArray(value)) return `[${value.map(item => renderInline(item, quote)).join(', ')}]`;
  if (!isTable(value)) return typeof value === 'number' ? renderNumber(value) : String(value);
  const members = Object.entries(value).map(([key, item]) => `${renderText(key, quote)}: ${renderInline(item, quote)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  return Number.isFinite(value) ? String(value) : `${value < 0 ? '-' : ''}.inf`;
}

/** Without quotes only where nothing can be mistaken, in brackets or out of them; else with the quotes asked for. */
export function renderText(text: string, quote?: Quote): string {
  if (quote === undefined && isPlain(text)) return text;
  if (quote === 'single' && /^[\x20-\x7e\u00a1-\ud7ff]*$/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(UNPRINTABLE, character => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const UNPRINTABLE = /[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/g;

function isPlain(text: string): boolean {
  if (!/^[\w./$~@%+:-][^\n\t,[\]{}#"'`&*!|>]*$/.test(text) || /^(---|\.\.\.)|[\s:]$/.test(text)) return false;
  if (text.search(UNPRINTABLE) >= 0) return false;
  return stringify(text, { schema: 'core', compat: 'yaml-1.1', lineWidth: 0 }) === `${text}\n`;
}
