/**
 * Whether the arguments of a call fit the conditions of a rule. What takes away (deny, ask) is read generously, what gives
 * (allow, and grants) narrowly: a value that could mean two things must not slip past the one or into the other.
 */
import { canonicalJson } from '../base/canonical-json.ts';
import type { ArgumentCondition } from '../config/rule-pattern.ts';

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
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

/**
 * `*` in a narrow reading stops at a slash, `**` does not. A generous `/etc/**` also means `/etc` itself: whoever forbids
 * what is in a folder does not want the folder deleted.
 */
function valuePattern(glob: string, reading: Reading): RegExp {
  const generous = reading === 'generous';
  const inside = generous && glob.endsWith('/**');
  const source = (inside ? glob.slice(0, -3) : glob).replace(/\*+|\?|[.+^${}()|[\]\\]/g, sign => {
    if (sign === '?') return generous ? '.' : '[^/\\\\]';
    if (sign.startsWith('*')) return generous || sign.length > 1 ? '.*' : '[^/\\\\]*';
    return `\\${sign}`;
  });
  return new RegExp(`^${source}${inside ? '(?:[/\\\\].*)?' : ''}$`, 's');
}

interface Reached {
  readonly values: readonly unknown[];
  /** Every item of every list on the way has the argument. */
  readonly complete: boolean;
}

/** The values at a path. A list stands for each of its items; a key may itself hold a dot. */
function reach(value: unknown, path: readonly string[]): Reached {
  if (Array.isArray(value)) return joined(value.map(item => reach(item, path)));
  if (path.length === 0) return { values: [value], complete: true };
  if (typeof value !== 'object' || value === null) return { values: [], complete: false };
  const ways: Reached[] = [];
  for (let length = 1; length <= path.length; length++) {
    const key = path.slice(0, length).join('.');
    if (Object.hasOwn(value, key)) ways.push(reach((value as Record<string, unknown>)[key], path.slice(length)));
  }
  const found = ways.filter(({ values }) => values.length > 0);
  return found.length === 0 ? { values: [], complete: false } : joined(found);
}

function joined(parts: readonly Reached[]): Reached {
  return { values: parts.flatMap(({ values }) => values), complete: parts.every(({ complete }) => complete) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

const SEPARATOR = /[/\\]+/;

/** Where a path with `..` leads, only its file system knows: nothing is allowed by it. */
function climbs(value: unknown): boolean {
  return typeof value === 'string' && value.split(SEPARATOR).includes('..');
}

/** As it is written, and as the path that it means. */
function spellings(value: unknown): string[] {
  const text = textOf(value);
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
