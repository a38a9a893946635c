/** Starts a hub in the background, as a program of its own that lives on, and waits until it can be reached. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { namesConfigFile } from '@junctor/core/internal';
import { JunctorError } from '@junctor/core/light';
import { findHub, type HubFile } from '@junctor/hub';
import { type Context, loadOptions } from '../context.ts';
import { ownProgram } from '../own-program.ts';

export interface StartHubOptions {
  readonly data: string;
  /** It ends so long after its last client. */
  readonly endUnusedSeconds: number;
  /** The port it takes where that is free. */
  readonly port?: string | undefined;
}

/** Longer than a busy machine takes to start one. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 25;
const MAX_LOG_BYTES = 1024 * 1024;

export async function startHub(context: Context, options: StartHubOptions): Promise<HubFile> {
  const log = join(options.data, 'hub.log');
  await mkdir(options.data, { recursive: true, mode: 0o700 });
  const old = await stat(log).catch(() => undefined);
  if (old && old.size > MAX_LOG_BYTES) await truncate(log);
  const writtenBefore = old && old.size <= MAX_LOG_BYTES ? old.size : 0;
  const file = await open(log, 'a', 0o600);
  // Tokens of agents are none of the hub's business.
  const env = Object.fromEntries(
    Object.entries(context.surroundings.env).filter(([name]) => !/^JUNCTOR_TOKEN(_|$)/i.test(name)),
  );
  const { command, args } = ownProgram();
  const child = spawn(command, [...args, ...wordsFor(context, options)], {
    cwd: servesProjects(context) ? homeOf(context) : context.surroundings.cwd,
    env,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', file.fd, file.fd],
  });
  const ended = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('exit', () => resolve(''));
  });
  child.unref();
  await file.close();
  let failure: string | undefined;
  void ended.then(because => {
    failure = because;
  });
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt) {
    const hasEnded = failure;
    const hub = await findHub(options.data);
    if (hub) return hub;
    if (hasEnded !== undefined) throw notStarted(hasEnded || (await tailOf(log, writtenBefore)), log);
    await sleep(LOOK_EVERY_MS, undefined, { signal: context.signal });
  }
  throw notStarted(`it was not ready within ${PATIENCE_MS / 1000} s`, log);
}

/**
 * A hub that is started for a client serves all that come later, wherever they work: it belongs to no folder. Where a config
 * was named, that counts for all of them.
 */
function servesProjects(context: Context): boolean {
  return !context.global.isolated && !namesConfigFile(loadOptions(context), context.surroundings);
}

function homeOf({ surroundings: { home, cwd } }: Context): string {
  return existsSync(home) ? home : cwd;
}

function wordsFor(context: Context, { data, endUnusedSeconds, port }: StartHubOptions): string[] {
  const { global } = context;
  const given = (['config', 'dialect'] as const).flatMap(name =>
    global[name] === undefined ? [] : [`--${name}`, global[name]],
  );
  const switches = (['isolated', 'strict', 'debug'] as const).flatMap(name => (global[name] ? [`--${name}`] : []));
  const ports = port === undefined ? [] : ['--port', port];
  return [
    'hub',
    '--any-port',
    '--end-unused',
    String(endUnusedSeconds),
    '--data',
    data,
    ...ports,
    ...(servesProjects(context) ? ['--no-project'] : []),
    ...given,
    ...switches,
  ];
}

/** What it said before it ended. Its lines are masked already. */
async function tailOf(log: string, from: number): Promise<string> {
  const said = (await readFile(log)).subarray(from).toString('utf8').trim();
  return said.split('\n').slice(-5).join('\n') || 'it ended at once';
}

function notStarted(why: string, log: string): JunctorError {
  return new JunctorError('hub_failed', 'No hub runs on this data directory, and none could be started.', {
    why,
    hint: `junctor hub shows what is wrong; ${log} has all of it`,
  });
}
