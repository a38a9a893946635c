/**
 * The mark of one start, set in the environment of a server and of all it starts: which Junctor started it, and a number
 * that no other start has. A process id alone would not do, since they are given out again: with the moment its owner
 * began, anybody can tell later whether that one still lives.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface Owner {
  readonly pid: number;
  /** In the ticks of this system since it was started; 0 where it does not tell. */
  readonly began: number;
}

/** As long as a UUID, in the same letters: 8 digits of process id, 12 of its beginning, 14 at random. */
export function newLaunchMark(): string {
  const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
  return [hex(process.pid, 8), hex(ownBeginning(), 12), randomBytes(7).toString('hex')].join('-');
}

/** Undefined for a mark of another kind: then nobody can tell whose it is. */
export function ownerOf(mark: string): Owner | undefined {
  const [, pid = '', began = ''] = /^([0-9a-f]{8})-([0-9a-f]{12})-[0-9a-f]{14}$/.exec(mark) ?? [];
  const owner = { pid: Number.parseInt(pid, 16), began: Number.parseInt(began, 16) };
  return owner.began > 0 ? owner : undefined;
}

/** Linux only: elsewhere no mark names an owner. */
export async function isOwnerAlive({ pid, began }: Owner): Promise<boolean> {
  const stat = readStat(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''));
  return stat !== undefined && stat.began === began;
}

function ownBeginning(): number {
  if (process.platform !== 'linux') return 0;
  try {
    return readStat(readFileSync('/proc/self/stat', 'latin1'))?.began ?? 0;
  } catch {
    return 0;
  }
}

/** The 22nd field of /proc/…/stat, counted from behind the name in brackets, which may itself hold anything. */
const BEGAN = 19;

/** Undefined for a process that is gone, or only waits for somebody to read its exit code. */
function readStat(stat: string): { readonly began: number } | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return { began: Number(fields[BEGAN]) };
}
