/**
 * What runs on this machine, seen once for all who ask in the same moment, as they do when many servers are ended together.
 * Reading about a process takes microseconds; waiting for each answer of the system took ten times as long.
 */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { readStat } from './proc-stat.ts';

/** Set in every server's environment: finds its descendants even after they changed group or lost their parent. */
export const LAUNCH_VARIABLE = 'JUNCTOR_LAUNCH';

export interface RunningProcess {
  readonly pid: number;
  readonly group: number;
  /** Empty where it bears no mark of a start, or began before we did and so cannot bear one of ours. */
  readonly environment: string;
}

/** Read without letting anybody else go on. With more of them a busy hub would be late for its callers. */
const AT_ONCE = 25;

export class ProcessTable {
  #next: Promise<readonly RunningProcess[] | undefined> | undefined;
  /** The look that has begun. */
  #current: Promise<unknown> = Promise.resolve();

  /**
   * Undefined where this system does not tell. A look that has begun is not shared: something may have ended meanwhile. The
   * next one waits for it: several side by side would each take their part of the same turn.
   */
  look(): Promise<readonly RunningProcess[] | undefined> {
    this.#next ??= Promise.all([turn(), this.#current]).then(() => {
      this.#next = undefined;
      const looking = running();
      this.#current = looking;
      return looking;
    });
    return this.#next;
  }
}

async function running(): Promise<RunningProcess[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    return await listed();
  } catch {
    // For want of file handles, say. A list that misses some would tell that they have ended.
    return undefined;
  }
}

async function listed(): Promise<RunningProcess[]> {
  const entries = await readdir('/proc');
  const own = readStat(textOf(process.pid, 'stat'))?.began ?? 0;
  const found: RunningProcess[] = [];
  for (const [index, pid] of entries.map(Number).filter(Number.isInteger).entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await turn();
    const stat = readStat(textOf(pid, 'stat'));
    if (!stat) continue;
    const environment = stat.began < own ? '' : textOf(pid, 'environ');
    found.push({ pid, group: stat.group, environment: environment.includes(LAUNCH_VARIABLE) ? environment : '' });
  }
  return found;
}

const NO_HANDLES = new Set<unknown>(['EMFILE', 'ENFILE']);

/** Nothing of a process that ended meanwhile, or is somebody else's. */
function textOf(pid: number, file: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch (error) {
    if (NO_HANDLES.has((error as NodeJS.ErrnoException).code)) throw error;
    return '';
  }
}
