/**
 * Ends the servers of a Junctor that was killed before it could end them itself. A tiny shell process holds the other end
 * of a pipe: when the pipe breaks, its owner is gone, and whatever was reported as running is ended. On Linux it finds a
 * server and its descendants by the mark in their environment, elsewhere by their process group. Windows has no such
 * shell: there a server notices the end of its stdin.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { LAUNCH_VARIABLE } from './process-table.ts';
import type { Family } from './survivors.ts';

const GUARD_SCRIPT = `
trap '' INT TERM HUP
live=
while read -r op mark leader; do
  rest=
  for one in $live; do [ "\${one%%:*}" = "$mark" ] || rest="$rest $one"; done
  live=$rest
  [ "$op" = + ] && live="$live $mark:$leader"
done
[ -n "$live" ] || exit 0
reap() {
  for one in $live; do
    leader=\${one#*:}
    [ -n "$leader" ] && kill -s "$1" -- "-$leader"
    for file in $(grep -lsF "${LAUNCH_VARIABLE}=\${one%%:*}" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      kill -s "$1" "\${pid%/environ}"
    done
  done 2>/dev/null
}
reap TERM
sleep 1
reap KILL
`;

const GOODBYE_MS = 2000;

export class OrphanGuard {
  #guard: ChildProcess | undefined;

  /** Before a server is started: should we be killed in the same moment, its mark is known already. */
  expect(mark: string): void {
    if (process.platform === 'win32') return;
    this.#guard ??= startGuard();
    this.#tell('+', mark);
  }

  watch({ mark, leader }: Family): void {
    this.#tell('+', mark, leader);
  }

  release(mark: string): void {
    this.#tell('-', mark);
  }

  async close(): Promise<void> {
    const guard = this.#guard;
    this.#guard = undefined;
    if (!guard || guard.exitCode !== null || guard.signalCode !== null) return;
    guard.ref();
    guard.stdin?.end();
    // It ends at once; but nothing of ours may wait for ever for a process that somebody stopped.
    await once(guard, 'exit', { signal: AbortSignal.timeout(GOODBYE_MS) }).catch(() => guard.kill('SIGKILL'));
  }

  #tell(op: '+' | '-', mark: string, leader?: number): void {
    this.#guard?.stdin?.write(`${op} ${mark} ${leader ?? ''}\n`);
  }
}

function startGuard(): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT], {
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
