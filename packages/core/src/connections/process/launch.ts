/** Starts a server's process in a family of its own, and ends the whole family: ask, insist, force. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '../../base/scope.ts';
import { waitAtMost } from '../../base/time/deadline.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import { type Invocation, invocationOf, unquotable } from './batch-file.ts';
import { cannotQuote, cannotStart, startRefused } from './cannot-start.ts';
import { variableOf } from './command-candidates.ts';
import { type Environment, environmentFor } from './environment.ts';
import { findCommand, type Program } from './find-command.ts';
import type { OrphanGuard } from './orphan-guard.ts';
import { LAUNCH_VARIABLE, type ProcessTable } from './process-table.ts';
import { type Family, signalFamily, survivors } from './survivors.ts';

export type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** How long each step of ending waits before the next. Too short, and a server cannot save its work. */
const STEP_MS = 1500;
const FORCE_STEP_MS = 3000;
const LOOK_EVERY_MS = 25;

/** The longest that ending a family may take. */
export const ENDING_MS: number = 2 * STEP_MS + FORCE_STEP_MS;

export interface LaunchOptions {
  readonly environment: Environment;
  readonly guard: OrphanGuard;
  readonly processes: ProcessTable;
  /** Folders of ours that no server needs to see. */
  readonly secluded?: readonly string[] | undefined;
}

export interface Launch {
  readonly server: string;
  readonly program: Program;
  /** Whether the end of its stdin tells the program to end. One that listens on a port does not read it. */
  readonly readsStdin: boolean;
  /** What it reads from further descriptors, from `FIRST_INPUT` on. */
  readonly inputs?: readonly Uint8Array[] | undefined;
}

/** After stdin, stdout and stderr. */
export const FIRST_INPUT = 3;

/** Resolves when the process runs. The scope ends it and everything it started. */
export async function launch(what: Launch, scope: Scope, options: LaunchOptions): Promise<ServerProcess> {
  const { server, program } = what;
  const env = environmentFor(options.environment, program.env);
  const looking = findCommand(program, env);
  const found = looking instanceof Promise ? await looking : looking;
  if (found.kind !== 'found') throw cannotStart(server, program, found);
  const invocation = invocationOf(found.file, program.args, {
    platform: process.platform,
    interpreter: variableOf(env, 'COMSPEC', process.platform),
  });
  if (invocation.verbatim && unquotable(program.args) !== undefined) throw cannotQuote(server, found.file);
  const mark = options.guard.expect();
  try {
    const child = start(invocation, what, { ...env, [LAUNCH_VARIABLE]: mark });
    // Before anything else is done with it: a process that could not be made says so later, and has no pipes then.
    const spawned = once(child, 'spawn');
    const family: Family = { leader: child.pid ?? 0, mark };
    if (child.pid !== undefined) options.guard.watch(family);
    await spawned;
    for (const [index, bytes] of (what.inputs ?? []).entries()) hand(child, FIRST_INPUT + index, bytes);
    // Writing to a server that just ended is reported by its exit, not by the broken pipe.
    child.stdin.on('error', () => {});
    scope.defer(async () => {
      await endFamily(child, family, what.readsStdin, options.processes);
      options.guard.release(mark);
    });
    return child;
  } catch (error) {
    options.guard.release(mark);
    throw startRefused(server, found.file, error as NodeJS.ErrnoException);
  }
}

function start({ file, args, verbatim }: Invocation, what: Launch, env: Record<string, string>): ServerProcess {
  const { program, inputs = [] } = what;
  return spawn(file, args, {
    cwd: program.cwd,
    env,
    // Programs that look at their own name see the one that was written, as from a shell.
    ...(process.platform === 'win32' ? {} : { argv0: program.command }),
    stdio: ['pipe', 'pipe', 'pipe', ...inputs.map(() => 'pipe' as const)],
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  });
}

/** A program that ended before it read is reported by its exit. */
function hand(child: ServerProcess, descriptor: number, bytes: Uint8Array): void {
  const pipe = child.stdio[descriptor] as Duplex;
  pipe.on('error', () => {});
  pipe.resume().end(bytes);
}

async function endFamily(
  child: ServerProcess,
  family: Family,
  readsStdin: boolean,
  processes: ProcessTable,
): Promise<void> {
  child.stdin.end();
  // Windows knows no polite signal: there the end of stdin is all the notice a program gets.
  if (readsStdin || process.platform === 'win32') await exited(child, STEP_MS);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    let running = await survivors(family, processes);
    if (running.length === 0) break;
    signalFamily(family, running, signal);
    const giveUpAt = monotonicMs() + (signal === 'SIGKILL' ? FORCE_STEP_MS : STEP_MS);
    while (running.length > 0 && monotonicMs() < giveUpAt) {
      await sleep(LOOK_EVERY_MS);
      running = await survivors(family, processes);
      // What was born while the others were ended is ended too.
      if (signal === 'SIGKILL' && running.length > 0) signalFamily(family, running, signal);
    }
  }
  // Pipes that a descendant once held open would keep our own process alive.
  child.stdout.destroy();
  child.stderr.destroy();
}

async function exited(child: ServerProcess, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const listening = new AbortController();
  await waitAtMost(withinMs, once(child, 'exit', { signal: listening.signal }));
  listening.abort();
}
