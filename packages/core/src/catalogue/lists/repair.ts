/**
 * Repairs an entry of a list to the protocol's own schema: a field that does not fit is left out. Official clients check a
 * list as a whole, so one `"_meta": null` would cost an agent the lists of all its servers. A good entry passes unchanged.
 */
import { isObject } from '../../base/json/is-object.ts';

/** The value itself where it fits, a repaired copy, or undefined where it has to be left out. */
type Repair = (value: unknown) => unknown;

export type Fields = Readonly<Record<string, Repair>>;

/** `left`: collects the names of the fields that had to be changed. */
export function repairFields<Entry extends object>(entry: Entry, fields: Fields, left?: string[]): Entry {
  const given = entry as Readonly<Record<string, unknown>>;
  let copy: Record<string, unknown> | undefined;
  for (const key in fields) {
    const value = given[key];
    if (value === undefined) continue;
    const fit = (fields[key] as Repair)(value);
    if (fit === value) continue;
    left?.push(key);
    copy ??= { ...given };
    if (fit === undefined) delete copy[key];
    else copy[key] = fit;
  }
  return (copy ?? entry) as Entry;
}

const text: Repair = value => (typeof value === 'string' ? value : undefined);
const flag: Repair = value => (typeof value === 'boolean' ? value : undefined);
/** JSON can name numbers that are infinite here, and would be written as null. */
const number: Repair = value => (Number.isFinite(value) ? value : undefined);
const share: Repair = value =>
  Number.isFinite(value) && (value as number) >= 0 && (value as number) <= 1 ? value : undefined;
const record: Repair = value => (isObject(value) ? value : undefined);
const time: Repair = value => (typeof value === 'string' && isTime(value) ? value : undefined);

function oneOf(...words: readonly string[]): Repair {
  return value => (words.includes(value as string) ? value : undefined);
}

/** Items that do not fit are left out one by one. */
function listOf(repair: Repair): Repair {
  return value => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map(repair);
    return items.every((item, index) => item === value[index]) ? value : items.filter(item => item !== undefined);
  };
}

/** An object without what it needs is left out whole. */
function objectOf(fields: Fields, needs?: string): Repair {
  return value => {
    if (!isObject(value) || (needs !== undefined && typeof value[needs] !== 'string')) return undefined;
    return repairFields(value, fields);
  };
}

const TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function isTime(value: string): boolean {
  const day = TIME.exec(value)?.[1];
  if (day === undefined) return false;
  const date = new Date(`${day}T00:00:00Z`);
  // A day that does not exist is moved to one that does.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

const icons = listOf(objectOf({ mimeType: text, sizes: listOf(text), theme: oneOf('light', 'dark') }, 'src'));

const COMMON: Fields = { title: text, description: text, icons, _meta: record };

export const TOOL_FIELDS: Fields = {
  ...COMMON,
  outputSchema: record,
  execution: objectOf({ taskSupport: oneOf('required', 'optional', 'forbidden') }),
  annotations: objectOf({
    title: text,
    readOnlyHint: flag,
    destructiveHint: flag,
    idempotentHint: flag,
    openWorldHint: flag,
  }),
};

export const RESOURCE_TEMPLATE_FIELDS: Fields = {
  ...COMMON,
  mimeType: text,
  annotations: objectOf({ audience: listOf(oneOf('user', 'assistant')), priority: share, lastModified: time }),
};

export const RESOURCE_FIELDS: Fields = { ...RESOURCE_TEMPLATE_FIELDS, size: number };

export const PROMPT_FIELDS: Fields = {
  ...COMMON,
  arguments: listOf(objectOf({ title: text, description: text, required: flag }, 'name')),
};
