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
export function differences(now: unknown, wanted: unknown, path: Path = []): Change[] {
  if (now === wanted || (Number.isNaN(now) && Number.isNaN(wanted))) return [];
  if (Array.isArray(now) && Array.isArray(wanted)) return listDifferences(now, wanted, path);
  if (!isTable(now) || !isTable(wanted)) return [{ kind: 'replace', path, value: wanted }];
  const changes: Change[] = [];
  for (const [key, value] of Object.entries(wanted)) {
    if (Object.hasOwn(now, key) && now[key] !== value) changes.push(...differences(now[key], value, [...path, key]));
  }
  for (const [key, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(now, key)) changes.push({ kind: 'insert', path: [...path, key], value });
  }
  for (const key of Object.keys(now)) {
    if (!Object.hasOwn(wanted, key)) changes.push({ kind: 'remove', path: [...path, key] });
  }
  return changes;
}

function listDifferences(now: readonly unknown[], wanted: readonly unknown[], path: Path): Change[] {
  const taken = takenOut(now, wanted);
  if (taken) return taken.map(index => ({ kind: 'remove', path: [...path, index] }));
  const changes: Change[] = [];
  wanted.forEach((value, index) => {
    const place = [...path, index];
    if (index < now.length) changes.push(...differences(now[index], value, place));
    else changes.push({ kind: 'insert', path: place, value });
  });
  for (let index = now.length - 1; index >= wanted.length; index--) {
    changes.push({ kind: 'remove', path: [...path, index] });
  }
  return changes;
}

/** The positions, last first, of items in a row without which the lists are the same; the items after them keep their comments. */
function takenOut(now: readonly unknown[], wanted: readonly unknown[]): number[] | undefined {
  const count = now.length - wanted.length;
  if (count <= 0) return undefined;
  const differs = wanted.findIndex((item, index) => differences(now[index], item).length > 0);
  const start = differs < 0 ? wanted.length : differs;
  const isRest = wanted.slice(start).every((item, index) => differences(now[start + count + index], item).length === 0);
  return isRest ? Array.from({ length: count }, (_, index) => start + count - 1 - index) : undefined;
}

/** The value as it is after an edit; the old one is left alone. */
export function withEdit(value: unknown, { path, value: wanted }: Edit): unknown {
  return wanted === undefined ? without(value, path) : withSet(value, path, path, plain(wanted, path));
}

function withSet(value: unknown, rest: Path, path: Path, wanted: unknown): unknown {
  const [step, ...deeper] = rest;
  if (step === undefined) return wanted;
  if (typeof step === 'number' && (Array.isArray(value) || absent(value))) {
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

function absent(value: unknown): boolean {
  return value === undefined || value === null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date object';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
