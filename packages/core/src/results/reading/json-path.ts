/**
 * A small part of JSONPath, enough to find one's way in a stored result: `$`, `.name`, `['name']`, `[0]`, `[-1]`, `[2:5]`,
 * `[*]` and `.*`. Pure.
 */
import { JunctorError } from '../../base/error.ts';
import { nearest } from '../../base/text/nearest.ts';

type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly kind: 'all' };

export interface JsonPath {
  readonly steps: readonly Step[];
  /** Whether it may select several values: then the answer is a list of them. */
  readonly several: boolean;
}

const STEP =
  /\.(?<all>\*)|\.(?<name>[\p{L}_$][\p{L}\p{N}_$-]*)|\[\s*(?:(?<every>\*)|(?<from>-?\d+)?\s*(?<colon>:)\s*(?<to>-?\d+)?|(?<index>-?\d+)|'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)")\s*\]/uy;

export function parseJsonPath(text: string): JsonPath {
  const path = text.trim();
  const steps: Step[] = [];
  let at = path.startsWith('$') ? 1 : 0;
  // `items[0]` is what people write for `$.items[0]`.
  const rest = at === 0 && !/^[.[]/.test(path) ? `.${path}` : path;
  while (at < rest.length) {
    STEP.lastIndex = at;
    const found = STEP.exec(rest);
    if (!found?.groups) throw misspelt(text, rest.slice(at));
    steps.push(stepOf(found.groups));
    at = STEP.lastIndex;
  }
  return { steps, several: steps.some(({ kind }) => kind === 'all' || kind === 'slice') };
}

/** The selected value, or the list of them. Throws where nothing is there, and says what is there instead. */
export function selectByPath(value: unknown, { steps, several }: JsonPath): unknown {
  let found: readonly unknown[] = [value];
  for (const [index, step] of steps.entries()) {
    const next = found.flatMap(one => take(one, step));
    if (next.length === 0 && (!several || step.kind === 'name')) throw nothingThere(found, step, steps.slice(0, index));
    found = next;
  }
  return several ? found : found[0];
}

function stepOf({
  all,
  every,
  name,
  index,
  colon,
  from,
  to,
  single,
  double,
}: Record<string, string | undefined>): Step {
  if (all ?? every) return { kind: 'all' };
  if (index !== undefined) return { kind: 'index', index: Number(index) };
  if (colon) return { kind: 'slice', from: numberOr(from), to: numberOr(to) };
  return { kind: 'name', name: name ?? (single ?? (double as string)).replace(/\\(.)/g, '$1') };
}

const numberOr = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

function take(value: unknown, step: Step): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step.kind === 'all') return Object.values(value);
  if (step.kind === 'name')
    return Object.hasOwn(value, step.name) ? [(value as Record<string, unknown>)[step.name]] : [];
  if (!Array.isArray(value)) return [];
  if (step.kind === 'slice') return value.slice(step.from, step.to);
  const index = step.index < 0 ? value.length + step.index : step.index;
  return index >= 0 && index < value.length ? [value[index]] : [];
}

function misspelt(path: string, rest: string): JunctorError {
  return new JunctorError('usage', `'${path}' is not a path this can follow.`, {
    why: `it stops at '${rest.slice(0, 60)}'`,
    hint: `such as $.items[0].name, $.items[*].id, $.items[10:20] or $['a key']`,
  });
}

const MAX_KEYS = 20;

function nothingThere(found: readonly unknown[], step: Step, before: readonly Step[]): JunctorError {
  const place = `$${before.map(written).join('')}`;
  return new JunctorError('usage', `There is nothing at ${place}${written(step)}.`, {
    why: `at ${place} there is ${describe(found[0])}`,
    ...hintFor(found[0], step),
  });
}

function hintFor(value: unknown, step: Step): { hint?: string } {
  if (step.kind !== 'name' || typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const near = nearest(step.name, Object.keys(value));
  return near === undefined ? {} : { hint: `did you mean '${near}'?` };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : `a ${typeof value}`;
  const keys = Object.keys(value);
  const more = keys.length > MAX_KEYS ? `, and ${keys.length - MAX_KEYS} more` : '';
  return keys.length === 0 ? 'an empty object' : `an object with the keys ${keys.slice(0, MAX_KEYS).join(', ')}${more}`;
}

function written(step: Step): string {
  switch (step.kind) {
    case 'all':
      return '[*]';
    case 'index':
      return `[${step.index}]`;
    case 'slice':
      return `[${step.from ?? ''}:${step.to ?? ''}]`;
    default:
      return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step.name) ? `.${step.name}` : `['${step.name}']`;
  }
}
