/** The numbers that hold where nobody says otherwise. Time is moved, not waited for; servers and sockets are real. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHost, type Host, type HostEvent, type HostOptions } from '@junctor/core';
import { makeHome, promise } from '@junctor/testkit';
import { serveSdkHttp } from '@junctor/testkit/peers';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { WebSocketServer } from 'ws';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'hrtime'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Manner = (response: ServerResponse, id: number, params: Params) => void;
interface Params {
  readonly _meta?: { readonly progressToken?: number };
}

/** A legacy server over HTTP that is silent where its script says so; everything it was asked is kept. */
async function scripted(script: Record<string, Manner> = {}) {
  const asked: string[] = [];
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params: Params };
    asked.push(method);
    if (id === undefined) return response.writeHead(202).end();
    const manner = script[method] ?? ((to: ServerResponse) => to.end(reply(id, RESULTS[method] ?? {})));
    response.writeHead(200, { 'content-type': manner === script[method] ? 'text/event-stream' : 'application/json' });
    response.flushHeaders();
    manner(response, id, params);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    count: (method: string) => asked.filter(one => one === method).length,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise(resolve => http.close(resolve));
    },
  };
}

const silent: Manner = () => {};
const reply = (id: number, result: object): string => JSON.stringify({ jsonrpc: '2.0', id, result });
const RESULTS: Record<string, object> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
};

/** Pings would not be answered in the moment in which hours pass. */
const WITHOUT_PINGS = { ping_interval_ms: 2 ** 31 - 1 };

function hostAt(
  url: string,
  more: object = {},
  options: HostOptions = {},
  health: object = WITHOUT_PINGS,
): Promise<Host> {
  const server = { transport: 'http', url, trust: 'trusted', protocol: 'legacy', ...more };
  return createHost({ attempts: 1, config: { health, servers: { s: server } }, ...options });
}

/** How a promise ended, without waiting for it. */
function watch(work: Promise<unknown>): { outcome: unknown } {
  const seen: { outcome: unknown } = { outcome: 'pending' };
  work.then(
    value => {
      seen.outcome = value;
    },
    error => {
      seen.outcome = error;
    },
  );
  return seen;
}

/** Moves time, and lets what was set off by it reach the other side and come back. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
}

/** Waits without moving time: for what comes over a socket. */
async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 30_000;
  while (!isSo()) {
    if (Date.now() > giveUpAt) throw new Error(`it never came to: ${isSo}`);
    await new Promise(resolve => setImmediate(resolve));
  }
}

const TIMED_OUT = expect.objectContaining({ code: 'timeout' });

describe('health', () => {
  promise('2.7a', 'a ready server is pinged every 30 s', async () => {
    await using server = await scripted();
    await using host = await hostAt(server.url, {}, {}, {});
    await host.tools();
    await pass(29_900);
    expect(server.count('ping')).toBe(0);
    await pass(100);
    await until(() => server.count('ping') === 1);
    await until(() => host.status()[0]?.latency_ms !== undefined);
    await pass(30_000);
    await until(() => server.count('ping') === 2);
  });

  promise(
    '2.7b',
    'a ping without an answer for 5 s is a miss; two in a row and the server counts as gone',
    async () => {
      const pingAndWait = async (count: number, waitMs: number): Promise<void> => {
        await pass(30_000);
        await until(() => server.count('ping') === count);
        await pass(waitMs);
      };
      await using server = await scripted({ ping: silent });
      await using host = await hostAt(server.url, {}, {}, {});
      await host.tools();
      const states: string[] = [];
      host.events.on('state-changed', ({ state }) => states.push(state.kind));
      // The server listed its tools before this one: it does not count.
      await pingAndWait(1, 5000);
      await pingAndWait(2, 5000);
      expect(states).toEqual([]);
      await pingAndWait(3, 4900);
      expect(states).toEqual([]);
      await pass(100);
      await until(() => states[0] === 'error');
    },
  );

  promise('2.7c', 'a server of 2026-07-28 is asked server/discover instead', async () => {
    await using server = await serveSdkHttp('reject');
    await using host = await createHost({ config: { servers: { s: { transport: 'http', url: server.url } } } });
    await host.tools();
    const methods = (): (string | undefined)[] => server.requests.map(({ body }) => body.method);
    const before = methods().filter(method => method === 'server/discover').length;
    await pass(30_000);
    await until(() => methods().filter(method => method === 'server/discover').length === before + 1);
    expect(methods()).not.toContain('ping');
  });

  promise('2.7h', 'a quiet connection is kept alive every 50 s', async () => {
    const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    let pings = 0;
    sockets.on('connection', socket => {
      socket.on('ping', () => pings++);
      socket.on('message', data => {
        const { id, method } = JSON.parse(String(data)) as { id?: number; method: string };
        if (id !== undefined) socket.send(reply(id, RESULTS[method] ?? {}));
      });
    });
    await using _ = { [Symbol.asyncDispose]: () => closed(sockets) };
    await once(sockets, 'listening');
    const url = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/`;
    await using host = await hostAt(url, { transport: 'ws' }, {}, WITHOUT_PINGS);
    await host.tools();
    await pass(49_900);
    expect(pings).toBe(0);
    await pass(100);
    await until(() => pings === 1);
    await pass(50_000);
    await until(() => pings === 2);
  });
});

describe('timeouts', () => {
  promise('2.5h', 'connecting may take 60 s', async () => {
    await using server = await scripted({ initialize: silent });
    await using host = await hostAt(server.url);
    const connecting = watch(host.links.ready('s'));
    await until(() => server.count('initialize') === 1);
    await pass(59_900);
    expect(connecting.outcome).toBe('pending');
    await pass(100);
    await until(() => connecting.outcome !== 'pending');
    expect(connecting.outcome).toEqual(TIMED_OUT);
  });

  promise('2.8a', 'a control request may take 30 s, or what request_timeout_ms says', async () => {
    for (const [more, limit] of [
      [{}, 30_000],
      [{ request_timeout_ms: 7000 }, 7000],
    ] as const) {
      await using server = await scripted({ 'tools/list': silent });
      await using host = await hostAt(server.url, more);
      const listing = watch(host.collect('s'));
      await until(() => server.count('tools/list') === 1);
      await pass(limit - 100);
      expect(listing.outcome).toBe('pending');
      await pass(100);
      await until(() => listing.outcome !== 'pending');
      expect(listing.outcome).toEqual(TIMED_OUT);
    }
  });

  promise('2.8b', 'in the codelia dialect request_timeout_ms limits tool calls too', async () => {
    await using home = await makeHome();
    await using server = await scripted({ 'tools/call': silent });
    const written = {
      version: 1,
      mcp: { servers: { s: { transport: 'http', url: server.url, request_timeout_ms: 9000 } } },
    };
    const path = await home.write('codelia.json', written);
    await using host = await createHost({ path, dialect: 'codelia', ask: async () => true });
    const call = watch(host.call({ server: 's', tool: 'work' }));
    await until(() => server.count('tools/call') === 1);
    await pass(8900);
    expect(call.outcome).toBe('pending');
    await pass(100);
    await until(() => call.outcome !== 'pending');
    expect(call.outcome).toEqual(TIMED_OUT);
  });

  promise('2.8c', 'a tool call may be silent for 5 minutes', async () => {
    await using server = await scripted({ 'tools/call': silent });
    await using host = await hostAt(server.url);
    const call = watch(host.call({ server: 's', tool: 'work' }));
    await until(() => server.count('tools/call') === 1);
    await pass(5 * MINUTE - 100);
    expect(call.outcome).toBe('pending');
    await pass(100);
    await until(() => call.outcome !== 'pending');
    expect(call.outcome).toEqual(TIMED_OUT);
  });

  promise(['2.8e', '2.8f'], 'a tool call ends after 27 h, or what MCP_TOOL_TIMEOUT says, progress or not', async () => {
    for (const [env, limit] of [
      [{}, 27 * HOUR],
      [{ MCP_TOOL_TIMEOUT: String(20 * MINUTE) }, 20 * MINUTE],
    ] as const) {
      await using home = await makeHome();
      let progress = 0;
      let tell = (): void => {};
      const steady: Manner = (response, _id, { _meta }) => {
        tell = () => {
          const params = { progressToken: _meta?.progressToken, progress: ++progress };
          response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`);
        };
      };
      await using server = await scripted({ 'tools/call': steady });
      const surroundings = {
        cwd: home.project,
        home: home.path,
        env: { ...home.env, ...env },
        platform: process.platform,
      };
      await using host = await hostAt(server.url, {}, { surroundings });
      let heard = 0;
      const call = watch(host.call({ server: 's', tool: 'work' }, {}, { onProgress: () => heard++ }));
      await until(() => server.count('tools/call') === 1);
      for (let passed = 0; passed < limit - 4 * MINUTE; passed += 4 * MINUTE) {
        tell();
        await until(() => heard === progress);
        await vi.advanceTimersByTimeAsync(4 * MINUTE);
      }
      expect(call.outcome).toBe('pending');
      await pass(5 * MINUTE);
      await until(() => call.outcome !== 'pending');
      expect(call.outcome).toEqual(TIMED_OUT);
    }
  });

  promise(['2.8h', '2.11d'], 'while a call runs there is an event at least every 30 s', async () => {
    await using server = await scripted({ 'tools/call': silent });
    await using host = await hostAt(server.url);
    const events: HostEvent[] = [];
    host.events.listen(event => events.push(event));
    const call = watch(host.call({ server: 's', tool: 'work' }));
    await until(() => server.count('tools/call') === 1);
    const signs = (): HostEvent[] => events.filter(({ type }) => type === 'tool-call-progress');
    for (let told = 1; told <= 4; told++) {
      await pass(30_000);
      expect(signs().length).toBeGreaterThanOrEqual(told);
    }
    const { call_id } = events.find(({ type }) => type === 'tool-call-begin') as { call_id: string };
    const values = signs().map(sign => {
      expect(sign).toMatchObject({ type: 'tool-call-progress', server: 's', tool: 'work', call_id });
      return (sign as { progress: number }).progress;
    });
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(new Set(values).size).toBe(values.length);
    await pass(5 * MINUTE);
    await until(() => call.outcome !== 'pending');
    expect(call.outcome).toEqual(TIMED_OUT);
  });
});

function closed(sockets: WebSocketServer): Promise<void> {
  for (const socket of sockets.clients) socket.terminate();
  return new Promise(resolve => sockets.close(() => resolve()));
}
