/** The hub as a whole: one host, one HTTP server, one file that says where it is. Closing it leaves nothing behind. */
import { createServer, type Server } from 'node:http';
import { type Host, JunctorError, VERSION } from '@junctor/core';
import { Scope } from '@junctor/core/inside';
import { Router } from './front/router.ts';
import { announceHub, findHub, type HubFile, withdrawHub } from './store/hub-file.ts';
import { newToken, TokenBook } from './store/token-book.ts';

export interface HubOptions {
  readonly host: Host;
  readonly dataDirectory: string;
  readonly address: string;
  readonly port: number;
  /** A person token from the hub's own environment. */
  readonly token?: string | undefined;
}

export interface Hub extends AsyncDisposable {
  readonly url: string;
  close(): Promise<void>;
}

/** Idle clients keep their connection this long: opening a new one costs more than the call. */
const KEEP_ALIVE_MS = 75_000;

export async function startHub(options: HubOptions): Promise<Hub> {
  const { host, dataDirectory, address, port } = options;
  const other = await findHub(dataDirectory);
  if (other) throw alreadyRunning(other, dataDirectory);
  const scope = new Scope();
  scope.defer(() => host.close());
  try {
    const token = newToken();
    const tokens = new TokenBook(dataDirectory);
    tokens.acceptPerson(token);
    if (options.token) tokens.acceptPerson(options.token);
    const router = new Router({ host, tokens, hosts: new Set([address.toLowerCase()]) });
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
      void router.answer(request, response);
    });
    const url = await listen(server, address, port);
    await leaveOutSelf(host, url);
    scope.defer(() => shut(server));
    await announceHub(dataDirectory, { url, pid: process.pid, version: VERSION, token });
    scope.defer(() => withdrawHub(dataDirectory, process.pid));
    // Servers start while the hub is already reachable: a slow one delays nobody but itself.
    void host.snapshot();
    return { url, close: () => scope.close(), [Symbol.asyncDispose]: () => scope.close() };
  } catch (error) {
    await scope.close();
    throw error;
  }
}

/** A hub that is its own client would offer every tool twice, and answer itself. */
async function leaveOutSelf(host: Host, url: string): Promise<void> {
  const { port } = new URL(url);
  for (const { id, endpoint } of host.resolution.servers.values()) {
    if (endpoint.transport === 'stdio') continue;
    const target = new URL(endpoint.url);
    const here =
      LOOPBACK.has(target.hostname) && target.port === port && /^\/(mcp|sse|ws|servers)\//.test(target.pathname);
    if (here)
      await host.links.leaveOut({ id, because: `its url, ${endpoint.url}, is this hub itself`, kind: 'broken' });
  }
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

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
