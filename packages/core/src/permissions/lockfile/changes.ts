/** In what two definitions differ, part by part, so that a person can read it. Pure. */
import { isObject } from '../../base/json/is-object.ts';
import { sameJson } from '../../base/json/same-json.ts';
import { visibleText } from '../../base/text/visible-text.ts';

/** One part in which two definitions differ. */
export interface Change {
  /** Where, as `inputSchema.properties.path`. */
  readonly at: string;
  /** Absent where it was not there. */
  readonly before?: unknown;
  /** Absent where it is no longer there. */
  readonly after?: unknown;
}

/** Deeper than people nest; below it two parts are shown whole. */
const MAX_DEPTH = 12;

export function changesBetween(before: object, after: object): Change[] {
  return differences(before, after, [], []);
}

function differences(before: unknown, after: unknown, path: readonly string[], found: Change[]): Change[] {
  if (sameJson(before, after)) return found;
  if (!isObject(before) || !isObject(after) || path.length >= MAX_DEPTH) {
    found.push({
      at: path.join('.'),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
    return found;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)].sort())) {
    differences(ownValue(before, key), ownValue(after, key), [...path, key], found);
  }
  return found;
}

function ownValue(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** One change, in lines: where, `-` what it was, `+` what it is. */
export function describeChange({ at, before, after }: Change): string[] {
  const [was, is] = shorten(visibleText(before), visibleText(after));
  return [at, ...(before === undefined ? [] : [`  - ${was}`]), ...(after === undefined ? [] : [`  + ${is}`])];
}

/** All of them in lines: where, `-` what it was, `+` what it is. */
export function describeChanges(changes: readonly Change[]): string[] {
  return changes.flatMap(describeChange);
}

const MAX_SHOWN = 2000;
const CONTEXT = 60;

/** Of two long texts, the parts around where they begin to differ. */
function shorten(before: string, after: string): [string, string] {
  const longest = Math.max(before.length, after.length);
  let from = 0;
  if (longest > MAX_SHOWN) {
    while (from < longest && before[from] === after[from]) from++;
    from = Math.max(0, from - CONTEXT);
  }
  return [part(before, from), part(after, from)];
}

function part(text: string, from: number): string {
  const rest = text.slice(from, from + MAX_SHOWN);
  const left = text.length - from - rest.length;
  return `${from > 0 ? '…' : ''}${rest}${left > 0 ? `… (${left} more characters)` : ''}`;
}
