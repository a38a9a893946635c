/** The pipe of the hub of a data directory. Several that come at once start one hub together. */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withFileLock } from '@junctor/core/inside';
import { JunctorError } from '@junctor/core/light';
import { findHub, type HubFile } from '@junctor/hub';
import type { Context } from '../context.ts';
import { openPipe } from './open-pipe.ts';
import { type StartHubOptions, startHub } from './start-hub.ts';

export interface ReachOptions extends StartHubOptions {
  readonly door: string;
  /** What opens the door; without it the token of the hub itself is taken. */
  readonly token: string | undefined;
}

/** A hub that was started for a client ends so long after its last one: until then the next one finds all ready. */
export const END_UNUSED_SECONDS = 600;

/** Starting a hub, or waiting until one has ended, takes no longer. */
const PATIENCE_MS = 90_000;
const LOOK_EVERY_MS = 50;

/** Undefined where none runs. */
export async function findPipe({ data, door, token }: ReachOptions): Promise<Socket | undefined> {
  const hub = await findHub(data);
  return hub && openPipe(hub, { door, token: token ?? hub.token });
}

export async function reachPipe(context: Context, options: ReachOptions): Promise<Socket> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt) {
    const found = await findPipe(options);
    if (found) return found;
    const { door, token } = options;
    const hub = await reachHub(context, options);
    const started = await openPipe(hub, { door, token: token ?? hub.token });
    if (started) return started;
    await sleep(LOOK_EVERY_MS, undefined, { signal: context.signal });
  }
  throw new JunctorError('timeout', 'The hub of this data directory lets nobody in.', {
    why: `it was starting or ending for ${PATIENCE_MS / 1000} s`,
    hint: 'junctor hub stop, then try again',
  });
}

/** The hub that runs, else a new one. Whoever waited for another one to start a hub finds that one. */
export async function reachHub(context: Context, options: StartHubOptions): Promise<HubFile> {
  const begin = async (): Promise<HubFile> => (await findHub(options.data)) ?? (await startHub(context, options));
  return withFileLock(join(options.data, 'hub-start'), begin, { patienceMs: PATIENCE_MS });
}
