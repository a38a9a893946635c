/**
 * Ends the servers of a Junctor that was killed before it could end them itself. A tiny shell process holds the other end
 * of a pipe: when the pipe breaks without a goodbye, its owner is gone, and whatever it started is ended. On Linux servers
 * and their descendants are found by the mark in their environment, and everywhere by their process group. Windows has no
 * such shell: there a server notices the end of its stdin.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { markNumber, newMarkBeginning } from './launch-mark.ts';
import { LAUNCH_VARIABLE } from './process-table.ts';
import type { Family } from './survivors.ts';

const GOODBYE = '.';

/** `$0`: what the marks of all that it looks after begin with. */
const GUARD_SCRIPT = `
trap '' INT TERM HUP
leaders=
while read -r op leader; do
  case $op in
    +) leaders="$leaders $leader" ;;
    -) rest=
       for one in $leaders; do [ "$one" = "$leader" ] || rest="$rest $one"; done
       leaders=$rest ;;
    ${GOODBYE}) exit 0 ;;
  esac
done
reap() {
  for leader in $leaders; do kill -s "$1" -- "-$leader"; done 2>/dev/null
  for file in $(grep -lsF "${LAUNCH_VARIABLE}=$0" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s "$1" "\${pid%/environ}" 2>/dev/null
  done
}
reap TERM
sleep 1
reap KILL
`;

const GOODBYE_MS = 2000;

/** So often a guard that somebody killed is replaced at once. Where none can live, each start tries again, and that is enough. */
const REPLACED_AT_ONCE = 3;

export class OrphanGuard {
  readonly #beginning = newMarkBeginning();
  #starts = 0;
  #guard: ChildProcess | undefined;
  #lost = 0;
  /** What was started and has not ended: the leader of each once it is known. */
  readonly #living = new Map<string, number | undefined>();
  #untold = '';

  /** The mark of a new start. Should we be killed in the same moment, whatever bears it is ended already by its beginning. */
  expect(): string {
    const mark = markNumber(this.#beginning, this.#starts++);
    if (process.platform === 'win32') return mark;
    if (!this.#guard) this.#begin();
    this.#living.set(mark, undefined);
    return mark;
  }

  watch({ mark, leader }: Family): void {
    if (!this.#living.has(mark)) return;
    this.#living.set(mark, leader);
    this.#tell('+', leader);
  }

  release(mark: string): void {
    const leader = this.#living.get(mark);
    this.#living.delete(mark);
    if (leader !== undefined) this.#tell('-', leader);
  }

  async close(): Promise<void> {
    const guard = this.#guard;
    this.#guard = undefined;
    if (!guard || guard.exitCode !== null || guard.signalCode !== null) return;
    guard.ref();
    // What would not end is left to the guard.
    guard.stdin?.end(this.#takeUntold() + (this.#living.size === 0 ? `${GOODBYE}\n` : ''));
    // It ends at once; but nothing of ours may wait for ever for a process that somebody stopped.
    await once(guard, 'exit', { signal: AbortSignal.timeout(GOODBYE_MS) }).catch(() => guard.kill('SIGKILL'));
  }

  #begin(): void {
    const guard = startGuard(this.#beginning);
    this.#guard = guard;
    for (const leader of this.#living.values()) if (leader !== undefined) this.#tell('+', leader);
    guard.once('exit', () => {
      if (this.#guard !== guard) return;
      // Not by us: what it looked after would live on without anybody.
      this.#guard = undefined;
      if (this.#living.size > 0 && this.#lost++ < REPLACED_AT_ONCE) this.#begin();
    });
  }

  #tell(op: '+' | '-', leader: number): void {
    const first = this.#untold === '';
    this.#untold += `${op} ${leader}\n`;
    // Where marks can be found, nothing is lost by telling of many starts at once: each word wakes a process.
    if (process.platform !== 'linux') this.#report();
    else if (first) setImmediate(() => this.#report());
  }

  #report(): void {
    const untold = this.#takeUntold();
    if (untold !== '') this.#guard?.stdin?.write(untold);
  }

  #takeUntold(): string {
    const untold = this.#untold;
    this.#untold = '';
    return untold;
  }
}

function startGuard(beginning: string): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT, beginning], {
    // A session of its own: a Ctrl-C meant for the command must not end its guard first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  });
  // Without a guard servers still end with an orderly close; a missing shell is no reason to fail.
  guard.on('error', () => {});
  guard.stdin?.on('error', () => {});
  guard.unref();
  (guard.stdin as unknown as { unref?(): void })?.unref?.();
  return guard;
}
