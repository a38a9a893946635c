/** Writes new values as TOML 1.0. */
import { isTable, type Table, unwritable } from '../changes.ts';

/** A value on one line: tables and lists in brackets. */
export function renderInline(value: unknown): string {
  if (typeof value === 'string') return renderText(value);
  if (typeof value === 'number') return renderNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(renderInline).join(', ')}]`;
  if (!isTable(value)) throw unwritable([], 'null in TOML');
  const members = Object.entries(value).map(([key, item]) => renderRow([key], item));
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export function renderRow(keys: readonly string[], value: unknown): string {
  return `${renderKeys(keys)} = ${renderInline(value)}`;
}

export function renderKeys(keys: readonly string[]): string {
  return keys.map(key => (/^[A-Za-z0-9_-]+$/.test(key) ? key : renderText(key))).join('.');
}

export function renderText(text: string): string {
  if (!text.isWellFormed()) throw unwritable([], 'half a character in TOML');
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  const text = String(value);
  // An integer of TOML has 64 bits; what is larger is a float.
  return Number.isInteger(value) && !Number.isSafeInteger(value) && !text.includes('e') ? `${text}.0` : text;
}

/** Longer tables in brackets are hard to read, and may not be broken into lines. */
const MAX_BRACKETS_WIDTH = 80;

/** Whether a new table, or a new list of tables, gets a header of its own. */
export function wantsHeader(path: readonly unknown[], value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(item => isTable(item));
  if (!isTable(value)) return false;
  return path.length <= 2 || Object.values(value).some(isTable) || renderInline(value).length > MAX_BRACKETS_WIDTH;
}

export function renderDocument(table: Table): string {
  const sections = renderSection('', [], table).join('\n\n');
  return sections.trimStart();
}

/** A table, or a list of tables, under headers. */
export function renderSections(keys: readonly string[], value: Table | readonly Table[]): string {
  if (!Array.isArray(value)) return renderSection(`[${renderKeys(keys)}]`, keys, value as Table).join('\n\n');
  return value.flatMap(item => renderSection(`[[${renderKeys(keys)}]]`, keys, item)).join('\n\n');
}

function renderSection(header: string, keys: readonly string[], table: Table): string[] {
  const entries = Object.entries(table);
  const below = entries.filter(([key, value]) => wantsHeader([...keys, key], value));
  const rows = entries.filter(entry => !below.includes(entry)).map(([key, value]) => renderRow([key], value));
  const sections = below.map(([key, value]) => renderSections([...keys, key], value as Table));
  // A table that only holds other tables needs no header; an element of a list does.
  const isNamedBelow = rows.length === 0 && sections.length > 0 && !header.startsWith('[[');
  return isNamedBelow ? sections : [[header, ...rows].join('\n'), ...sections];
}
