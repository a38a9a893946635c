/** What somebody else changed in what Junctor wrote. Pure; it names keys and never values, which may be secrets by now. */
import { isObject } from '../../base/json/is-object.ts';
import { sameJson } from '../../base/json/same-json.ts';
import { leadsToServer } from '../dialects/entry-writer.ts';

export interface Drift {
  readonly id: string;
  /** `moved`: nobody changed it, but the hub is elsewhere now. */
  readonly kind: 'missing' | 'changed' | 'moved';
  /** Keys that differ, as `headers.Authorization`. */
  readonly keys: readonly string[];
  /** A reference to a variable is gone: its value may stand in the file now. */
  readonly exposed: boolean;
  /** Where the hub was and is, where it moved. */
  readonly hub?: { readonly was: string; readonly is: string };
}

export function driftOf(id: string, written: unknown, found: unknown): Drift | undefined {
  if (found === undefined) return { id, kind: 'missing', keys: [], exposed: false };
  const changes = [...changed(written, found, ''), ...added(written, found)];
  if (changes.length === 0) return undefined;
  const exposed = changes.some(({ was, is }) => namesVariable(was) && typeof is === 'string' && !namesVariable(is));
  return { id, kind: 'changed', keys: changes.map(({ key }) => key), exposed };
}

/** Whether the entry that leads to the hub still does. An entry without an address finds the hub by itself. */
export function hubDriftOf(id: string, written: unknown, address: string): Drift | undefined {
  const { pathname } = new URL(address);
  const [found] = addressesIn(written, pathname, '');
  if (!found) return undefined;
  const { key, was, project } = found;
  const is = `${address}${project}`;
  return was === is ? undefined : { id, kind: 'moved', keys: [key], exposed: false, hub: { was, is } };
}

interface WrittenAddress {
  readonly key: string;
  readonly was: string;
  /** What follows where it leads to one project; empty where it does not. */
  readonly project: string;
}

function addressesIn(value: unknown, pathname: string, key: string): WrittenAddress[] {
  if (typeof value === 'string') {
    const path = URL.canParse(value) ? new URL(value).pathname : '';
    const project = path.slice(pathname.length);
    const isThere = path.startsWith(pathname) && (project === '' || project.startsWith('/w/'));
    return isThere ? [{ key, was: value, project }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, one]) => addressesIn(one, pathname, key ? `${key}.${inner}` : inner));
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

/** Of one agent, or of any. */
const NAMES_TOKEN = /\bJUNCTOR_TOKEN(?:_[A-Z0-9_]+)?\b/;

function namesVariable(value: unknown): boolean {
  return typeof value === 'string' && NAMES_TOKEN.test(value);
}

/** As a sentence for people: `'junctor': url was changed`. */
export function describeDrift({ id, kind, keys, exposed, hub }: Drift): string {
  if (hub) return `'${id}' leads to ${hub.was}, but the hub is at ${hub.is}`;
  if (kind === 'missing') return `'${id}' is gone`;
  const which = keys.filter(Boolean).join(', ') || 'all of it';
  return `'${id}': ${which} changed${exposed ? '; the variable of the token is no longer named there: a token may stand in the file' : ''}`;
}
