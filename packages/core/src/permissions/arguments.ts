/**
 * Whether the arguments of a call fit the conditions of a rule. What takes away (deny, ask) is read generously, what gives
 * (allow, and grants) narrowly: a value that could mean two things must not slip past the one or into the other.
 */
import { canonicalJson } from '../base/json/canonical-json.ts';
import { isRawNumber } from '../base/json/exact-json.ts';
import { compileGlob, compilePathGlob, type Glob } from '../base/text/glob.ts';
import type { ArgumentCondition } from '../config/schema/rule-pattern.ts';

export type Reading = 'generous' | 'narrow';

export type ArgumentTest = (args: unknown) => boolean;

/** All conditions must fit. */
export function compileConditions(conditions: readonly ArgumentCondition[], reading: Reading): ArgumentTest {
  const tests = conditions.map(condition => compile(condition, reading));
  return args => tests.every(test => test(args));
}

function compile({ name, value }: ArgumentCondition, reading: Reading): ArgumentTest {
  const pattern = valuePattern(value, reading);
  const path = name.split('.');
  if (reading === 'generous')
    return args => reach(args, path).values.some(found => spellings(found).some(fits(pattern)));
  return args => {
    const { values, complete } = reach(args, path);
    return complete && values.length > 0 && values.every(found => !climbs(found) && fits(pattern)(textOf(found)));
  };
}

const fits =
  (pattern: Glob) =>
  (text: string): boolean =>
    pattern.test(text);

/**
 * `*` in a narrow reading stops at a slash, `**` does not. A generous `/etc/**` also means `/etc` itself: a rule against
 * what is in a folder is against deleting the folder too.
 */
function valuePattern(glob: string, reading: Reading): Glob {
  if (reading === 'narrow') return compilePathGlob(glob);
  if (!glob.endsWith('/**')) return compileGlob(glob);
  const folder = glob.slice(0, -3);
  const ways = [folder, `${folder}/*`, `${folder}\\*`].map(compileGlob);
  return { test: text => ways.some(way => way.test(text)) };
}

interface Reached {
  readonly values: readonly unknown[];
  /** Every item of every list on the way has the argument. */
  readonly complete: boolean;
}

/** The values at a path. A list stands for each of its items; a key may itself hold a dot. */
function reach(args: unknown, path: readonly string[]): Reached {
  const values: unknown[] = [];
  const complete = collect(args, path, values);
  return { values, complete };
}

/** Adds the values at a path to one list, and says whether every item on the way has the argument. */
function collect(value: unknown, path: readonly string[], values: unknown[]): boolean {
  if (Array.isArray(value)) {
    let complete = true;
    for (const item of value) if (!collect(item, path, values)) complete = false;
    return complete;
  }
  if (path.length === 0) {
    values.push(value);
    return true;
  }
  if (typeof value !== 'object' || value === null) return false;
  const before = values.length;
  let complete = true;
  for (let length = 1; length <= path.length; length++) {
    const key = path.slice(0, length).join('.');
    if (!Object.hasOwn(value, key)) continue;
    const found = values.length;
    const whole = collect((value as Record<string, unknown>)[key], path.slice(length), values);
    // A way that leads nowhere says nothing about the others.
    if (values.length > found && !whole) complete = false;
  }
  return complete && values.length > before;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

const SEPARATOR = /[/\\]+/;

/** Where a path with `..` leads, only its file system knows: nothing is allowed by it. */
function climbs(value: unknown): boolean {
  return typeof value === 'string' && value.split(SEPARATOR).includes('..');
}

/** As it is written, and as the path or the number that it means: `1e2` and `100.0` are 100. */
function spellings(value: unknown): string[] {
  const text = textOf(value);
  if (isRawNumber(value)) return [text, String(Number(text))];
  return typeof value === 'string' && SEPARATOR.test(value) ? [text, plainPath(value)] : [text];
}

/** `/tmp/../etc//passwd` → `/etc/passwd`. */
function plainPath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split(SEPARATOR)) {
    if (step === '.') continue;
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') {
      if (steps.length > 1 || steps[0] !== '') steps.pop(); // above the root there is nothing
    } else steps.push(step);
  }
  return steps.join('/') || (SEPARATOR.test(path[0] ?? '') ? '/' : '.');
}
