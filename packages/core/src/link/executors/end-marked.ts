/** The words that end, in the place where they are run, every process with a mark in its environment: ask, then force. */
import { LAUNCH_VARIABLE } from '../process/process-table.ts';

const SCRIPT = `
end() {
  for file in $(grep -lsF "$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s "$1" "\${pid%/environ}" 2>/dev/null
  done
}
end TERM
grep -qsF "$mark" /proc/[0-9]*/environ || exit 0
sleep 1
end KILL
exit 0
`;

/** It needs a shell and grep there. */
export function endMarked(mark: string): string[] {
  return ['sh', '-c', `mark=$1${SCRIPT}`, 'sh', `${LAUNCH_VARIABLE}=${mark}`];
}
