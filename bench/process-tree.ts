/** Which processes belong to something the bench started, and how they are ended: by id, never by name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The process and everything below it. */
export function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const candidate of allPids()) {
    const parent = parentOf(candidate);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), candidate]);
  }
  const found = [pid];
  for (const known of found) found.push(...(children.get(known) ?? []));
  return found;
}

/** The tree of a running process, and whatever else lives in its home: a daemon it started. */
export function processesOf(pid: number, home: string): number[] {
  return [...new Set([...treeOf(pid), ...processesAtHome(home)])].filter(isRunning);
}

/** Whatever was given this home directory, with everything below it. */
export function processesAtHome(home: string): number[] {
  return allPids()
    .filter(pid => read(pid, 'environ').split('\0').includes(`HOME=${home}`))
    .flatMap(treeOf);
}

/** The bench's own stdio server, which is no part of the gateway that started it. */
export function isUpstream(pid: number): boolean {
  return read(pid, 'cmdline').split('\0')[1]?.endsWith('echo-stdio.js') ?? false;
}

const PATIENCE_MS = 500;
const STEP_MS = 20;

/** Asks all of them to end, then insists. */
export async function end(pids: readonly number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < PATIENCE_MS && pids.some(isRunning); waitedMs += STEP_MS) await sleep(STEP_MS);
  for (const pid of pids.filter(isRunning)) signal(pid, 'SIGKILL');
}

export function isRunning(pid: number): boolean {
  // A process that ended but was not yet collected by its parent still has an entry; its state is Z.
  if (process.platform === 'linux') return existsSync(`/proc/${pid}`) && statFields(pid)[0] !== 'Z';
  return signal(pid, 0);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // ended meanwhile
  }
}

function allPids(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number);
}

function parentOf(pid: number): number | undefined {
  const parent = statFields(pid)[1];
  return parent === undefined ? undefined : Number(parent);
}

/** The fields after the name, which may itself hold spaces and brackets: state, parent, … */
function statFields(pid: number): string[] {
  const stat = read(pid, 'stat');
  return stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // ended meanwhile, or another user's
  }
}
