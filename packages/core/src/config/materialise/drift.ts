/** What somebody else changed in what Junctor wrote. Pure; it names keys and never values, which may be secrets by now. */
import { sameJson } from '../../base/same-json.ts';
import { isObject } from '../dialects/entry-reader.ts';
import { leadsToServer } from '../dialects/entry-writer.ts';

export interface Drift {
  readonly id: string;
  readonly kind: 'missing' | 'changed';
  /** Keys that differ, as `headers.Authorization`. */
  readonly keys: readonly string[];
  /** A reference to a variable is gone: its value may stand in the file now. */
  readonly exposed: boolean;
}

export function driftOf(id: string, written: unknown, found: unknown): Drift | undefined {
  if (found === undefined) return { id, kind: 'missing', keys: [], exposed: false };
  const changes = [...changed(written, found, ''), ...added(written, found)];
  if (changes.length === 0) return undefined;
  const exposed = changes.some(({ was, is }) => namesVariable(was) && typeof is === 'string' && !namesVariable(is));
  return { id, kind: 'changed', keys: changes.map(({ key }) => key), exposed };
}

interface Difference {
  readonly key: string;
  readonly was: unknown;
  readonly is: unknown;
}

/** Keys that the agent adds to an entry, such as what the person allowed there, are its own business. */
function changed(was: unknown, is: unknown, key: string): Difference[] {
  if (!isObject(was) || !isObject(is)) return sameJson(was, is) ? [] : [{ key, was, is }];
  return Object.keys(was).flatMap(inner => changed(was[inner], is[inner], key ? `${key}.${inner}` : inner));
}

/** But not where they say which program is started or which address is asked, or with what. */
function added(was: unknown, is: unknown): Difference[] {
  if (!isObject(was) || !isObject(is)) return [];
  return Object.keys(is).flatMap(key => {
    if (!leadsToServer(key)) return [];
    const [before, now] = [was[key], is[key]];
    if (before === undefined) return [{ key, was: undefined, is: now }];
    if (!isObject(before) || !isObject(now)) return [];
    const extra = Object.keys(now).filter(inner => !Object.hasOwn(before, inner));
    return extra.map(inner => ({ key: `${key}.${inner}`, was: undefined, is: now[inner] }));
  });
}

function namesVariable(value: unknown): boolean {
  return typeof value === 'string' && /\bJUNCTOR_TOKEN\b/.test(value);
}

/** As a sentence for people: `'junctor': url was changed`. */
export function describeDrift({ id, kind, keys, exposed }: Drift): string {
  if (kind === 'missing') return `'${id}' is gone`;
  const which = keys.filter(Boolean).join(', ') || 'all of it';
  return `'${id}': ${which} changed${exposed ? '; JUNCTOR_TOKEN is no longer named there: a token may stand in the file' : ''}`;
}
