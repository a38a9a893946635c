/** What an edit comes down to: the fewest single changes that turn one value into another. Pure. */
import { JunctorError } from '../../base/error.ts';
import { formatPath } from '../problem.ts';
import type { Edit, Path } from './document.ts';
import { MAX_DEPTH } from './problems.ts';

export type Change =
  /** The parent exists and has no such key; in a list the position is its length. */
  | { readonly kind: 'insert'; readonly path: Path; readonly value: unknown }
  | { readonly kind: 'replace'; readonly path: Path; readonly value: unknown }
  | { readonly kind: 'remove'; readonly path: Path };

export type Table = Record<string, unknown>;

/** Objects change key by key and lists item by item, so that comments between them have something to stay beside. */
export function differences(now: unknown, wanted: unknown): Change[] {
  const changes: Change[] = [];
  collect(now, wanted, [], changes);
  return changes;
}

function collect(now: unknown, wanted: unknown, path: Path, changes: Change[]): void {
  if (now === wanted || (Number.isNaN(now) && Number.isNaN(wanted))) return;
  if (Array.isArray(now) && Array.isArray(wanted)) collectInList(now, wanted, path, changes);
  else if (isTable(now) && isTable(wanted)) collectInTable(now, wanted, path, changes);
  else changes.push({ kind: 'replace', path, value: wanted });
}

function collectInTable(now: Table, wanted: Table, path: Path, changes: Change[]): void {
  for (const [key, value] of Object.entries(wanted)) {
    if (Object.hasOwn(now, key) && now[key] !== value) collect(now[key], value, [...path, key], changes);
  }
  for (const [key, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(now, key)) changes.push({ kind: 'insert', path: [...path, key], value });
  }
  for (const key of Object.keys(now)) {
    if (!Object.hasOwn(wanted, key)) changes.push({ kind: 'remove', path: [...path, key] });
  }
}

function collectInList(now: readonly unknown[], wanted: readonly unknown[], path: Path, changes: Change[]): void {
  const taken = takenOut(now, wanted);
  for (const [index, value] of taken ? [] : wanted.entries()) {
    if (index < now.length) collect(now[index], value, [...path, index], changes);
    else changes.push({ kind: 'insert', path: [...path, index], value });
  }
  const end = taken?.to ?? now.length;
  for (let index = end - 1; index >= (taken?.from ?? wanted.length); index--) {
    changes.push({ kind: 'remove', path: [...path, index] });
  }
}

/** The items in a row without which the lists are the same: those after them keep their comments. */
function takenOut(now: readonly unknown[], wanted: readonly unknown[]): { from: number; to: number } | undefined {
  const count = now.length - wanted.length;
  if (count <= 0) return undefined;
  const differs = wanted.findIndex((item, index) => !same(now[index], item));
  const from = differs < 0 ? wanted.length : differs;
  const isRest = wanted.slice(from).every((item, index) => same(now[from + count + index], item));
  return isRest ? { from, to: from + count } : undefined;
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isTable(a) || !isTable(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** The value as it is after an edit; the old one is left alone. */
export function withEdit(value: unknown, { path, value: wanted }: Edit): unknown {
  return wanted === undefined ? without(value, path) : withSet(value, path, path, plain(wanted, path));
}

function withSet(value: unknown, rest: Path, path: Path, wanted: unknown): unknown {
  const [step, ...deeper] = rest;
  if (step === undefined) return wanted;
  if (isPosition(step) && (Array.isArray(value) || absent(value))) {
    const list = Array.isArray(value) ? [...value] : [];
    const index = Math.min(step, list.length);
    list[index] = withSet(list[index], deeper, path, wanted);
    return list;
  }
  if (typeof step === 'string' && (isTable(value) || absent(value))) {
    const table = copyOf(isTable(value) ? value : {});
    table[step] = withSet(table[step], deeper, path, wanted);
    return table;
  }
  const holder = formatPath(path.slice(0, path.length - rest.length)) || 'the file';
  throw new JunctorError('config_conflict', `Cannot write ${formatPath(path)}: ${holder} holds ${kindOf(value)}.`, {
    hint: 'change or remove it by hand, then try again',
  });
}

function without(value: unknown, path: Path): unknown {
  const [step, ...deeper] = path;
  if (step === undefined) return Object.create(null);
  const holder = Array.isArray(value) || isTable(value) ? (value as Table) : undefined;
  if (!holder || !Object.hasOwn(holder, step)) return value;
  if (deeper.length === 0 && Array.isArray(value)) return value.toSpliced(Number(step), 1);
  const copy = Array.isArray(value) ? ([...value] as unknown as Table) : copyOf(holder);
  if (deeper.length === 0) delete copy[step];
  else copy[step] = without(holder[step], deeper);
  return copy;
}

/** What a file can hold: texts, numbers, truth values, null, lists and objects. Undefined members are left out. */
function plain(value: unknown, path: Path, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw unwritable(path, `something nested more than ${MAX_DEPTH} levels deep`);
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  if (Array.isArray(value)) return value.map((item, index) => plain(item ?? null, [...path, index], depth + 1));
  if (!isTable(value) || value instanceof Date) throw unwritable(path, kindOf(value));
  const table: Table = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) table[key] = plain(item, [...path, key], depth + 1);
  }
  return table;
}

export function unwritable(path: Path, what: string): JunctorError {
  return new JunctorError(
    'config_invalid',
    `Cannot write ${formatPath(path) || 'the value'}: a config file cannot hold ${what}.`,
  );
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function copyOf(table: Table): Table {
  return Object.assign(Object.create(null), table);
}

function isPosition(step: string | number): step is number {
  return Number.isInteger(step) && Number(step) >= 0;
}

function absent(value: unknown): boolean {
  return value === undefined || value === null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date object';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
