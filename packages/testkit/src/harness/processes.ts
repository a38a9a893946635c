import { readdirSync, readFileSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Running processes other than this one whose environment holds `mark`. Linux only; elsewhere none are found. */
export function processesMarked(mark: string): FoundProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap(entry => {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid || !isRunning(pid)) return [];
    if (!read(`/proc/${pid}/environ`).includes(mark)) return [];
    return [{ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }];
  });
}

/** A zombie is not running: it only waits for its exit code to be read. */
export function isRunning(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
