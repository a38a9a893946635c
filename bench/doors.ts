/**
 * A door is what a client can knock on: a gateway in front of a stdio server, or the http server itself. All of them
 * get the same load from the same raw client, so what differs is the door.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway, HttpUpstream, StdioUpstream } from './contestants/contestant.ts';
import { type Endpoint, openClient } from './endpoint.ts';
import { listTools } from './raw-client/json-rpc.ts';
import { freePort, type Stage } from './stage.ts';
import type { EndpointTarget } from './task.ts';

export interface Door {
  readonly name: string;
  open(): Promise<OpenDoor>;
}

export interface OpenDoor extends AsyncDisposable {
  readonly target: EndpointTarget;
  /** From the start of the process until all tools were listed through it. */
  readonly startMs: number;
}

export function directDoor(upstream: HttpUpstream): Door {
  const target: EndpointTarget = { kind: 'endpoint', front: 'http', url: upstream.url, headers: {} };
  return { name: 'direct', open: async () => ({ target, startMs: 0, [Symbol.asyncDispose]: async () => {} }) };
}

export function gatewayDoor(stage: Stage, gateway: Gateway, upstream: StdioUpstream, tools: number): Door {
  return { name: gateway.name, open: () => openOnFreePort(() => openGateway(stage, gateway, upstream, tools)) };
}

/** A port that was free a moment ago may be taken when the gateway wants it: then another one is tried, once. */
async function openOnFreePort(open: () => Promise<OpenDoor>): Promise<OpenDoor> {
  try {
    return await open();
  } catch (error) {
    if (!(error as Error).message.includes('EADDRINUSE')) throw error;
    return await open();
  }
}

async function openGateway(stage: Stage, gateway: Gateway, upstream: StdioUpstream, tools: number): Promise<OpenDoor> {
  const home = stage.newHome();
  const { argv, url, headers = {}, env = {}, stopArgv } = gateway.plan(upstream, await freePort(), home);
  const started = performance.now();
  const child = stage.start(argv, { home, env });
  let complaint = '';
  child.stdout?.resume();
  child.stderr?.on('data', chunk => {
    complaint += complaint.length < 4000 ? chunk : '';
  });
  const close = async () => {
    if (stopArgv) spawnSync(stopArgv[0] ?? '', stopArgv.slice(1), { env: stage.environment(home), timeout: 5000 });
    await stage.end(child);
  };
  try {
    const endpoint = { front: gateway.front, url, headers };
    await untilListed(endpoint, tools, () => child.exitCode ?? child.signalCode);
    const startMs = performance.now() - started;
    const target: EndpointTarget = { kind: 'endpoint', ...endpoint, gateway: { pid: child.pid ?? 0, home } };
    return { target, startMs, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    const said = complaint
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean)
      .slice(0, 6)
      .join(' | ');
    throw new Error(`${gateway.name} did not come up: ${(error as Error).message}. ${said}`, { cause: error });
  }
}

const START_TIMEOUT_MS = 30_000;
/** Longer, and the start of a fast gateway is mostly this. */
const POLL_MS = 10;

async function untilListed(endpoint: Endpoint, tools: number, ended: () => unknown): Promise<void> {
  const started = performance.now();
  let last = '';
  while (performance.now() - started < START_TIMEOUT_MS) {
    if (ended() !== null) throw new Error(`it ended (${ended()})`);
    try {
      const listed = await listOnce(endpoint);
      if (listed >= tools) return;
      last = `${listed} of ${tools} tools listed`;
    } catch (error) {
      last = (error as Error).message;
    }
    await sleep(POLL_MS);
  }
  throw new Error(last);
}

async function listOnce(endpoint: Endpoint): Promise<number> {
  const client = await openClient(endpoint);
  try {
    return (await listTools(client)).length;
  } finally {
    await client.close();
  }
}
