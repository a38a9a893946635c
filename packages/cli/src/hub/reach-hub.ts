/** The pipe of the hub of a data directory. Several that come at once start one hub together. */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withFileLock } from '@junctor/core/internal';
import { isJunctorError, JunctorError, VERSION } from '@junctor/core/light';
import { findHub, type HubFile, type ProjectAnswer, type WorkPlace } from '@junctor/hub';
import type { Context } from '../context.ts';
import { askAgentToken, openPipe } from './open-pipe.ts';
import { type StartHubOptions, startHub } from './start-hub.ts';

export interface ReachOptions extends StartHubOptions {
  readonly agent: string;
  /** What opens its endpoint; without it the hub gives a token of that agent. */
  readonly token: string | undefined;
  /** Where the client works. */
  readonly at?: WorkPlace | undefined;
  /** Told whose servers the hub leads to. */
  readonly onOpen?: ((hub: HubFile, project: ProjectAnswer | undefined) => void) | undefined;
}

/** A hub that was started for a client ends so long after its last one: until then the next one finds all ready. */
export const END_UNUSED_SECONDS = 600;

/** Starting a hub, or waiting until one has ended, takes no longer. */
const PATIENCE_MS = 90_000;
const LOOK_EVERY_MS = 50;

/** Undefined where none runs. */
export async function findPipe(options: ReachOptions): Promise<Socket | undefined> {
  const hub = await findHub(options.data);
  return hub && enter(hub, options);
}

/** Undefined where it is worth to look again. */
async function enter(hub: HubFile, { agent, token, at, onOpen }: ReachOptions): Promise<Socket | undefined> {
  try {
    const opens = token ?? (await agentToken(hub, agent));
    if (opens === undefined) return undefined;
    const opened = await openPipe(hub, { door: `/mcp/${encodeURIComponent(agent)}`, token: opens, holds: true, at });
    if (opened) onOpen?.(hub, opened.project);
    return opened?.socket;
  } catch (error) {
    // A hub that has just taken the place of another one does not know the token that the other one left in its file.
    const ofAnother = isJunctorError(error, 'token_required') || isJunctorError(error, 'token_refused');
    if (token === undefined && ofAnother) return undefined;
    throw error;
  }
}

/** A hub of an earlier version makes none: there its own token opens the endpoint. */
async function agentToken(hub: HubFile, agent: string): Promise<string | undefined> {
  return askAgentToken(hub, agent).catch(error => {
    if (isJunctorError(error, 'usage') && hub.version !== VERSION) return hub.token;
    throw error;
  });
}

export async function reachPipe(context: Context, options: ReachOptions): Promise<Socket> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt) {
    const found = await findPipe(options);
    if (found) return found;
    const started = await enter(await reachHub(context, options), options);
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
