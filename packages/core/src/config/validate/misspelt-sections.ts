/**
 * Keys at the top of a file that nobody knows, and that were probably meant as one that takes something away: `permission`,
 * `agent`, `enable`. They count as what they were meant for, as far as they take away. Pure.
 */
import { isObject } from '../../base/json/is-object.ts';
import { nearest } from '../../base/text/nearest.ts';
import { FileFrame } from '../schema/schema.ts';

type Frame = Readonly<Record<string, unknown>>;

const CONSEQUENCES = {
  enabled: 'No server is connected until it is mended.',
  permissions: 'What it denies or asks about counts all the same, what it allows does not.',
  agents: 'The agents in it get no more than it says.',
  executors: 'The executors in it allow no more than it says.',
  bundles: 'The servers in it offer no more than it says.',
} as const;

type Section = keyof typeof CONSEQUENCES;

/** The key that was meant, and what becomes of what stands under this one. Undefined where it takes nothing away. */
export function meantBy(key: string, frame: Frame): { section: Section; consequence: string } | undefined {
  const known = Object.keys(FileFrame.shape);
  const near = known.includes(key) ? undefined : nearest(key, known);
  const section = (Object.keys(CONSEQUENCES) as Section[]).find(one => one === near);
  if (section === undefined || frame[section] !== undefined) return undefined;
  const takesAway = section === 'enabled' ? frame[key] !== true : isObject(frame[key]);
  return takesAway ? { section, consequence: CONSEQUENCES[section] } : undefined;
}

export interface Respelt {
  readonly frame: Frame;
  /** The keys under which the sections stand that were moved. */
  readonly meantAs: Readonly<Record<string, string>>;
}

/** The file as it was probably meant. */
export function respelt(frame: Frame): Respelt {
  const meant: Record<string, unknown> = { ...frame };
  const meantAs: Record<string, string> = {};
  for (const [key, value] of Object.entries(frame)) {
    const section = meantBy(key, meant)?.section;
    if (section === undefined) continue;
    meantAs[section] = key;
    meant[section] = section === 'permissions' ? withoutAllow(value) : value;
    delete meant[key];
  }
  return { frame: meant, meantAs };
}

function withoutAllow(permissions: unknown): object {
  const { allow: _allow, ...restrictions } = permissions as Frame;
  return restrictions;
}
