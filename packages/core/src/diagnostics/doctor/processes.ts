/** Running processes by a variable of their environment. Only Linux shows it, and only of processes of the same person. */
import { readdir, readFile, readlink } from 'node:fs/promises';

export interface SeenProcess {
  readonly pid: number;
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** What the variable holds. */
  readonly value: string;
}

/** Undefined where this system does not tell. */
export async function processesWith(variable: string): Promise<SeenProcess[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  // In another container the same process id means another process.
  const own = await readlink('/proc/self/ns/pid').catch(() => '');
  const entries = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry) && Number(entry) !== process.pid);
  const seen = await Promise.all(entries.map(entry => look(entry, `${variable}=`, own)));
  return seen.filter(one => one !== undefined);
}

async function look(entry: string, assignment: string, namespace: string): Promise<SeenProcess | undefined> {
  // One that is gone, or only waits for somebody to read its exit code, has no environment any more.
  const environment = await readFile(`/proc/${entry}/environ`, 'utf8').catch(() => '');
  const found = environment.split('\0').find(text => text.startsWith(assignment));
  if (found === undefined) return undefined;
  if ((await readlink(`/proc/${entry}/ns/pid`).catch(() => '')) !== namespace) return undefined;
  const line = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
  return { pid: Number(entry), words: line.split('\0').slice(0, -1), value: found.slice(assignment.length) };
}
