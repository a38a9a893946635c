/** What ends, in the place where a shell runs it, every process with a mark in its environment: ask, then force. */
import { LAUNCH_VARIABLE } from '../process/process-table.ts';

/** Sends a signal to all that bear the mark. Where there is no /proc it finds nobody. */
export const SIGNAL_MARKED =
  'junctor_end() { for f in $(grep -lsF "$2" /proc/[0-9]*/environ); do f=${f#/proc/}; kill -s "$1" "${f%/environ}"; done; }; ';

/** The words of a command that ends them all. It needs a shell and grep there. */
export function endMarked(mark: string): string[] {
  const script =
    'junctor_end TERM "$1"; grep -qsF "$1" /proc/[0-9]*/environ || exit 0; sleep 1; junctor_end KILL "$1"; exit 0';
  return ['sh', '-c', SIGNAL_MARKED + script, 'sh', marked(mark)];
}

/** As it stands in the environment of a process. */
export function marked(mark: string): string {
  return `${LAUNCH_VARIABLE}=${mark}`;
}
