/**
 * The mark of one start, set in the environment of a server and of all it starts: which Junctor started it, and a number
 * that no other start has. A process id alone would not do, since they are given out again: with the moment its owner
 * began, anybody can tell later whether that one still lives.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readStat } from './proc-stat.ts';

export interface Owner {
  readonly pid: number;
  /** In the ticks of this system since it was started; 0 where it does not tell. */
  readonly began: number;
}

/**
 * As long as a UUID, in the same letters: 8 digits of process id, 12 of its beginning, 14 at random. It tells starts apart and
 * is no secret: for that the plain source of chance will do, and all of node:crypto need not be loaded.
 */
export function newLaunchMark(): string {
  return newMarkBeginning() + chance();
}

/** What the marks of many starts may share, so that all of them can be found together. */
export function newMarkBeginning(): string {
  ownPart ??= `${hex(process.pid, 8)}-${hex(ownBeginning(), 12)}-`;
  return ownPart + chance();
}

/** A mark that no other with this beginning has, for as long as nobody starts hundreds of millions. */
export function markNumber(beginning: string, number: number): string {
  return beginning + hex(number, CHANCE_DIGITS);
}

/** The same for as long as this process lives. */
let ownPart: string | undefined;

const CHANCE_DIGITS = 7;

function chance(): string {
  return hex(Math.floor(Math.random() * 16 ** CHANCE_DIGITS), CHANCE_DIGITS);
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
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
