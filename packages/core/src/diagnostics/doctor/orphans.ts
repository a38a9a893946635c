/** Servers that outlived the Junctor that started them. That takes a `kill -9` of it and of its guard, or a full machine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { maskDefinition } from '../../config/masking/masking.ts';
import { isOwnerAlive, ownerOf } from '../../connections/process/launch-mark.ts';
import { LAUNCH_VARIABLE } from '../../connections/process/process-table.ts';
import { processesWith, type SeenProcess } from './processes.ts';

/** A server that outlived the Junctor that started it. */
export interface Orphan {
  /** Its process. */
  readonly pid: number;
  /** How it was started, secrets masked. */
  readonly command: string;
  /** The process that started it, and is gone. */
  readonly owner: number;
}

/** The guard of a Junctor that was killed just now is still at work for this long. */
const GUARD_MS = 1500;

/** Undefined where this system does not tell. */
export async function findOrphans(signal: AbortSignal): Promise<Orphan[] | undefined> {
  const first = await orphansNow();
  if (!first || first.length === 0) return first;
  await sleep(GUARD_MS, undefined, { signal });
  const stayed = new Set(first.map(({ pid }) => pid));
  return (await orphansNow())?.filter(({ pid }) => stayed.has(pid));
}

export function howToEnd(orphans: readonly Orphan[]): string {
  return `end what a Junctor that was killed left behind: kill ${orphans.map(({ pid }) => pid).join(' ')}`;
}

async function orphansNow(): Promise<Orphan[] | undefined> {
  const found = await processesWith(LAUNCH_VARIABLE);
  const judged = await Promise.all((found ?? []).map(asOrphan));
  return found && judged.filter(one => one !== undefined);
}

async function asOrphan({ pid, words, value }: SeenProcess): Promise<Orphan | undefined> {
  const owner = ownerOf(value);
  if (!owner || (await isOwnerAlive(owner))) return undefined;
  return { pid, command: shown(words), owner: owner.pid };
}

const SHOWN_CHARACTERS = 120;

/** Arguments may hold a password. */
function shown([command = '', ...args]: readonly string[]): string {
  const masked = maskDefinition({ transport: 'stdio', command, args });
  const line = [masked.command, ...(masked.args ?? [])].join(' ').replace(/\s+/g, ' ');
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
