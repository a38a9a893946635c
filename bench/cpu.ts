/**
 * CPU time as the scheduler accounts it. Other work on the machine stretches wall time but hardly moves this, so it is
 * the number to trust first.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of CPU the processes have used so far, over all their threads. NaN where there is no /proc. */
export function cpuMs(pids: readonly number[]): number {
  if (process.platform !== 'linux') return Number.NaN;
  return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
}

function cpuMsOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + threadNs(pid, thread), 0) / 1e6;
  } catch {
    return 0; // ended meanwhile
  }
}

function threadNs(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0; // a pool thread that ended meanwhile
  }
}
