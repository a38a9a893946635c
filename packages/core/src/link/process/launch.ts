/** Starts a server's process in a family of its own, and ends the whole family: ask, insist, force. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '../../base/scope.ts';
import type { StdioEndpoint } from '../../resolve/roster.ts';
import { type Environment, environmentFor } from './environment.ts';
import type { OrphanGuard } from './orphan-guard.ts';
import { type Family, LAUNCH_VARIABLE, signalFamily, survivors } from './survivors.ts';

export type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** How long each step of ending waits before the next. Too short, and a server cannot save its work. */
const STEP_MS = 1500;
const FORCE_STEP_MS = 3000;
const LOOK_EVERY_MS = 25;

export interface LaunchOptions {
  readonly environment: Environment;
  readonly guard: OrphanGuard;
}

/** Resolves when the process runs. The scope ends it and everything it started. */
export async function launch(endpoint: StdioEndpoint, scope: Scope, options: LaunchOptions): Promise<ServerProcess> {
  const mark = randomUUID();
  const child = spawn(endpoint.command, endpoint.args, {
    cwd: endpoint.cwd,
    env: { ...environmentFor(options.environment, endpoint.env), [LAUNCH_VARIABLE]: mark },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  // Writing to a server that just ended is reported by its exit, not by the broken pipe.
  child.stdin.on('error', () => {});
  await once(child, 'spawn');
  const family: Family = { leader: child.pid as number, mark };
  options.guard.watch(family);
  scope.defer(async () => {
    await endFamily(child, family);
    options.guard.release(family);
  });
  return child;
}

async function endFamily(child: ServerProcess, family: Family): Promise<void> {
  child.stdin.end();
  await exited(child, STEP_MS);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    let running = await survivors(family);
    if (running.length === 0) break;
    signalFamily(family, running, signal);
    const giveUpAt = Date.now() + (signal === 'SIGKILL' ? FORCE_STEP_MS : STEP_MS);
    while (running.length > 0 && Date.now() < giveUpAt) {
      await sleep(LOOK_EVERY_MS);
      running = await survivors(family);
    }
  }
  // Pipes that a descendant once held open would keep our own process alive.
  child.stdout.destroy();
  child.stderr.destroy();
}

async function exited(child: ServerProcess, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const patience = new AbortController();
  await Promise.race([
    once(child, 'exit', { signal: patience.signal }),
    sleep(withinMs, undefined, { signal: patience.signal }),
  ]);
  patience.abort();
}
