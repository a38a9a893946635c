/** Memory of processes as the kernel accounts it, in MiB. */
import { readFileSync } from 'node:fs';

export interface Memory {
  readonly rssMiB: number;
  /** Like RSS, but a page shared by n processes counts a n-th: what one more process really costs. */
  readonly pssMiB: number;
  readonly peakMiB: number;
}

/** The sum over the processes; NaN where there is no /proc. */
export function memoryOf(pids: readonly number[]): Memory {
  const sum = (file: string, field: string) =>
    process.platform === 'linux' ? pids.reduce((total, pid) => total + fieldMiB(pid, file, field), 0) : Number.NaN;
  return { rssMiB: sum('status', 'VmRSS'), pssMiB: sum('smaps_rollup', 'Pss'), peakMiB: sum('status', 'VmHWM') };
}

function fieldMiB(pid: number, file: string, field: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // ended meanwhile
  }
}
