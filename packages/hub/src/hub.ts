/** The hub as a whole: its database, its hosts, one HTTP server, one file that says where it is. Closing it leaves nothing behind. */
import { createServer, type Server } from 'node:http';
import { type Host, type HostOptions, type HostWatchListener, JunctorError, VERSION } from '@junctor/core';
import { Scope } from '@junctor/core/inside';
import { Router } from './front/router.ts';
import { openRooms } from './open-rooms.ts';
import type { InstanceLimits } from './relay/instances.ts';
import { announceHub, findHub, type HubFile, withdrawHub } from './store/hub-file.ts';
import { newToken, TokenBook } from './store/token-book.ts';

export interface HubOptions {
  /** What every host of the hub is opened with. */
  readonly hostOptions: HostOptions;
  readonly dataDirectory: string;
  readonly address: string;
  readonly port: number;
  /** A person token from the hub's own environment. */
  readonly token?: string | undefined;
  /** `postgres://…`; without it the hub keeps its data in `hub.db` of the data directory. */
  readonly database?: string | undefined;
  /** Told of each host before its servers start; `agent` where it is one agent's own. */
  readonly onHost?: ((host: Host, agent: string | undefined) => void) | undefined;
  /** What becomes of config files that change. */
  readonly onFiles?: HostWatchListener | undefined;
  /** How long calls and sessions are remembered; default 30 days. */
  readonly keepMs?: number | undefined;
  /** How many lives of a server there may be, and for how long nobody may use one. */
  readonly instances?: InstanceLimits | undefined;
  /** What the hub cannot do, in words for people. */
  readonly onProblem?: ((sentence: string) => void) | undefined;
}

export interface Hub extends AsyncDisposable {
  readonly url: string;
  /** The host of all agents that have no config of their own. */
  readonly host: Host;
  close(): Promise<void>;
}

/** Idle clients keep their connection this long: opening a new one costs more than the call. */
const KEEP_ALIVE_MS = 75_000;

export async function startHub(options: HubOptions): Promise<Hub> {
  const { dataDirectory, address, port } = options;
  const other = await findHub(dataDirectory);
  if (other) throw alreadyRunning(other, dataDirectory);
  const scope = new Scope();
  try {
    const { begin, ...rooms } = await openRooms(options, scope);
    const token = newToken();
    const tokens = new TokenBook(dataDirectory);
    tokens.acceptPerson(token);
    if (options.token) tokens.acceptPerson(options.token);
    const router = new Router({ ...rooms, tokens, hosts: new Set([address.toLowerCase()]) });
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
      void router.answer(request, response);
    });
    server.on('upgrade', (request, socket, head) => void router.upgrade(request, socket, head));
    const url = await listen(server, address, port);
    scope.defer(() => shut(server));
    scope.defer(() => rooms.doors.close());
    await announceHub(dataDirectory, { url, pid: process.pid, version: VERSION, token });
    scope.defer(() => withdrawHub(dataDirectory, process.pid));
    await begin(url);
    return { url, host: rooms.book.common, close: () => scope.close(), [Symbol.asyncDispose]: () => scope.close() };
  } catch (error) {
    await scope.close();
    throw error;
  }
}

function listen(server: Server, address: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? portInUse(address, port) : error);
    });
    server.listen(port, address, () => {
      const bound = server.address() as { port: number };
      const name = address.includes(':') ? `[${address}]` : address;
      resolve(`http://${name}:${bound.port}`);
    });
  });
}

function shut(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function alreadyRunning(other: HubFile, dataDirectory: string): JunctorError {
  return new JunctorError('hub_running', `A hub already runs at ${other.url}.`, {
    why: `process ${other.pid} uses the data directory ${dataDirectory}`,
    hint: 'use that one, end it, or choose another --data directory',
  });
}

function portInUse(address: string, port: number): JunctorError {
  return new JunctorError('port_in_use', `Port ${port} on ${address} is in use by another program.`, {
    hint: 'end that program, or choose another port with --port',
  });
}
