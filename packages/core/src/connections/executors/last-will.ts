/**
 * A command that is run for certain once something has ended: by a tiny shell that waits at the other end of a pipe. We close
 * the pipe when the time has come; should we be killed before, the system does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Program } from '../process/find-command.ts';

const WAIT_THEN_RUN = `trap '' INT TERM HUP; cat >/dev/null; exec "$@"`;

/** The command may have to reach another machine. Closing must not wait for ever for one that is gone. */
const PATIENCE_MS = 10_000;

export class LastWill {
  readonly #undo: Program;
  readonly #env: Record<string, string>;
  readonly #keeper: ChildProcess | undefined;

  /** `env`: everything the command sees. */
  constructor(undo: Program, env: Record<string, string>) {
    this.#undo = undo;
    this.#env = env;
    // Windows has no such shell: there it is run by us, or not at all.
    if (process.platform !== 'win32')
      this.#keeper = this.#spawn('/bin/sh', ['-c', WAIT_THEN_RUN, 'sh', undo.command, ...undo.args], 'pipe');
    this.#keeper?.unref();
    (this.#keeper?.stdin as { unref?(): void } | null | undefined)?.unref?.();
  }

  /** Runs the command, and waits until it is done. */
  async execute(): Promise<void> {
    // One that was killed, or never began, leaves it to us.
    const keeper = this.#waitingKeeper() ?? this.#spawn(this.#undo.command, this.#undo.args, 'ignore');
    if (keeper.pid === undefined) return;
    keeper.ref();
    keeper.stdin?.end();
    await once(keeper, 'exit', { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => keeper.kill('SIGKILL'));
  }

  #waitingKeeper(): ChildProcess | undefined {
    const { pid, exitCode = null, signalCode = null } = this.#keeper ?? {};
    return pid !== undefined && exitCode === null && signalCode === null ? this.#keeper : undefined;
  }

  #spawn(file: string, args: readonly string[], stdin: 'pipe' | 'ignore'): ChildProcess {
    // A session of its own: a Ctrl-C meant for the command must not end it first.
    const child = spawn(file, args, {
      env: this.#env,
      cwd: this.#undo.cwd,
      stdio: [stdin, 'ignore', 'ignore'],
      detached: true,
    });
    child.on('error', () => {});
    child.stdin?.on('error', () => {});
    return child;
  }
}
