/** What is known of a value and a schema: it fits, it does not and why, or nobody can say. Pure. */
import { plainText } from '../../base/text/plain-text.ts';

/** Where a value stands inside another. Written out only where somebody reads it. */
export interface ValuePlace {
  readonly above: ValuePlace | undefined;
  readonly key: string | number;
}

/** A value that does not fit. */
export interface Misfit {
  readonly at: ValuePlace | undefined;
  /** What the schema asks for: `be a number`. */
  readonly must: string;
  /** What is there instead: `a string`. Never the value itself. */
  readonly is?: string | undefined;
}

/** `unknown`: a keyword is left out of the check, and nothing else decides. */
export type Verdict = 'fits' | 'unknown' | Misfit;

export function isMisfit(verdict: Verdict): verdict is Misfit {
  return typeof verdict === 'object';
}

/** All have to fit. */
export function both(one: Verdict, other: Verdict): Verdict {
  if (isMisfit(one)) return one;
  return other === 'fits' ? one : other;
}

/** Longer names and places say nothing more to a person. */
const LONGEST_NAME = 60;
const MOST_STEPS = 12;

/** As words: `$.items[3].name must be a string and is a number`. */
export function misfitText({ at, must, is }: Misfit): string {
  return `${placeText(at)} must ${must}${is === undefined ? '' : ` and is ${is}`}`;
}

export function nameText(name: string): string {
  return `'${plainText(name, { maxChars: LONGEST_NAME })}'`;
}

function placeText(at: ValuePlace | undefined): string {
  const steps: string[] = [];
  for (let place = at; place; place = place.above) steps.push(stepText(place.key));
  steps.reverse();
  const half = MOST_STEPS / 2;
  const shown = steps.length > MOST_STEPS ? [...steps.slice(0, half), '…', ...steps.slice(-half)] : steps;
  return `$${shown.join('')}`;
}

function stepText(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return key.length <= LONGEST_NAME && /^[a-z_]\w*$/i.test(key) ? `.${key}` : `[${nameText(key)}]`;
}

const ARTICLES: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

/** A type of JSON Schema, as words. */
export function typeText(type: string): string {
  return ARTICLES[type] ?? 'of another type';
}

/** What kind of value it is, as words. */
export function kindText(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'boolean' ? 'a boolean' : typeText(typeof value);
}
