import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { createHost } from '@junctor/core';
import { makeHome, npmServer, promise, quietPort, startHub } from '@junctor/testkit';
import {
  type HttpTestServer,
  serveHttp,
  serveSse,
  serveWs,
  type TestServerOptions,
} from '@junctor/testkit/test-server';
import { describe, expect, test } from 'vitest';
import { RawClient } from '../hub/rpc.ts';
import { smallSse } from './small-sse.ts';

const WAYS = [
  { transport: 'http', clause: '2.2b', serve: serveHttp },
  { transport: 'streamable_http', clause: '1.2g', serve: serveHttp },
  { transport: 'sse', clause: '2.2h', serve: serveSse },
  { transport: 'ws', clause: '2.2i', serve: serveWs },
] as const;

async function serving(
  serve: (port: number, options?: TestServerOptions) => Promise<HttpTestServer>,
  options?: TestServerOptions,
) {
  const server = await serve(0, options);
  return { url: server.url, [Symbol.asyncDispose]: () => server.close() };
}

const hostAt = (transport: string, url: string, more: object = {}) =>
  createHost({ config: { servers: { remote: { transport, url, trust: 'trusted', ...more } } } });

describe.each(WAYS)('over $transport', ({ transport, clause, serve }) => {
  promise(clause, 'a server is listed, called, cancelled and closed', async () => {
    await using server = await serving(serve, { tools: 25, pageSize: 10 });
    await using host = await hostAt(transport, server.url);
    expect(await host.tools()).toHaveLength(25);
    const seen: number[] = [];
    const [echoed, slow] = await Promise.all([
      host.call('mcp__remote__echo', { text: 'grüße 🌍' }),
      host.call('mcp__remote__slow', { ms: 100 }, { onProgress: ({ progress }) => seen.push(progress) }),
    ]);
    expect([echoed.output, slow.output, seen]).toEqual(['grüße 🌍', 'waited 100 ms', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
    expect((await host.call('mcp__remote__big', { bytes: 2_000_000 }, { whole: true })).output).toHaveLength(2_000_000);
    const abort = new AbortController();
    const cancelled = host.call('mcp__remote__slow', { ms: 20_000 }, { signal: abort.signal });
    const ended = expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(async () => (await host.call('mcp__remote__state')).data).toEqual({ running: 1, cancelled: 0 });
    abort.abort();
    await ended;
    await expect.poll(async () => (await host.call('mcp__remote__state')).data).toEqual({ running: 0, cancelled: 1 });
  });

  promise('9.11d', 'a message over the limit fails alone', async () => {
    await using server = await serving(serve);
    await using host = await hostAt(transport, server.url, { max_message_bytes: 100_000 });
    await expect(host.call('mcp__remote__big', { bytes: 300_000 })).rejects.toMatchObject({
      code: 'message_too_large',
    });
    expect((await host.call('mcp__remote__echo', { text: 'still here' })).output).toBe('still here');
  });

  test('a server that is gone says where it was looked for', async () => {
    const { url, close } = await serve(await quietPort());
    await close();
    await using host = await hostAt(transport, url);
    await expect(host.collect('remote')).rejects.toMatchObject({
      code: 'connection_failed',
      hint: 'start the server, or check its url',
    });
  });
});

describe('every request', () => {
  promise('1.2k', 'over http, sse and ws carries the headers of the config', async () => {
    const seen: string[] = [];
    const http = createServer((request, response) => {
      seen.push(`${request.method} ${request.headers['x-workspace']}`);
      response.writeHead(401).end();
    });
    http.on('upgrade', (request, socket) => {
      seen.push(`WS ${request.headers['x-workspace']}`);
      socket.destroy();
    });
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as { port: number };
    try {
      for (const transport of ['http', 'sse', 'ws']) {
        const url = `${transport === 'ws' ? 'ws' : 'http'}://127.0.0.1:${port}/`;
        await using host = await hostAt(transport, url, { headers: { 'X-Workspace': 'blue' }, oauth: false });
        await host.tools();
      }
      expect([...new Set(seen)]).toEqual(['POST blue', 'GET blue', 'WS blue']);
    } finally {
      await new Promise(resolve => http.close(resolve).closeAllConnections());
    }
  });
});

describe('a lost stream', () => {
  test.each([
    ['sse', serveSse],
    ['ws', serveWs],
  ] as const)('over %s fails the call that waits on it, and the next call opens it anew', async (transport, serve) => {
    const first = await serve(await quietPort());
    const { port } = new URL(first.url);
    await using host = await hostAt(transport, first.url);
    await host.collect('remote');
    const waiting = host.call('mcp__remote__slow', { ms: 20_000 });
    const lost = expect(waiting).rejects.toMatchObject({ code: 'connection_lost' });
    await expect.poll(async () => (await host.call('mcp__remote__state')).data).toMatchObject({ running: 1 });
    void first.close();
    await lost;
    const second = await serve(Number(port));
    try {
      expect((await host.call('mcp__remote__echo', { text: 'again' })).output).toBe('again');
    } finally {
      await host.close();
      await second.close();
    }
  });
});

describe('an http server', () => {
  promise('2.2j', 'that only knows the older transport is used over it', async () => {
    await using server = await serving(serveSse);
    await using host = await hostAt('http', server.url);
    expect((await host.call({ server: 'remote', tool: 'echo' }, { text: 'the old way' })).output).toBe('the old way');
  });

  promise('2.2j', 'that answers a post with 400, 404 or 405, as an old one does, is used over it as well', async () => {
    for (const status of [400, 404, 405]) {
      await using server = await smallSse(({ request, response }) => {
        if (request.url !== '/mcp' || request.method !== 'POST') return;
        response.writeHead(status).end('no posts here');
        return true;
      });
      await using host = await hostAt('http', server.url, { oauth: false });
      expect((await host.call({ server: 'remote', tool: 'work' })).output).toBe('done');
    }
  });

  promise('2.2j', 'that is neither is told apart by its first answer', async () => {
    const http = await plainServer(404);
    const { port } = http.address() as { port: number };
    try {
      await using host = await hostAt('http', `http://127.0.0.1:${port}/mcp`);
      await expect(host.collect('remote')).rejects.toMatchObject({
        code: 'connection_failed',
        why: 'HTTP 404: nothing here',
      });
    } finally {
      await new Promise(resolve => http.close(resolve).closeAllConnections());
    }
  });

  promise('2.2g', 'that restarted and forgot the session is greeted anew, and the call goes through', async () => {
    const first = await serveHttp(await quietPort());
    const { port } = new URL(first.url);
    await using host = await hostAt('http', first.url);
    await using home = await makeHome();
    await using hub = await startHub(home, {
      servers: { remote: { transport: 'http', url: first.url, trust: 'trusted' } },
    });
    const client = await RawClient.open(hub, '/mcp/codex');
    await Promise.all([
      host.call('mcp__remote__echo', { text: 'one' }),
      client.call(1, 'remote_echo', { text: 'one' }),
    ]);
    await first.close();
    // A server takes a moment to start again; meanwhile both notice that their idle connections ended. Of the hub's this is
    // known to the system before the hub is asked anything.
    for (let turns = 0; turns < 20; turns++) await turn();
    const second = await serveHttp(Number(port));
    try {
      const all = await Promise.all([1, 2, 3].map(n => host.call('mcp__remote__echo', { text: `after ${n}` })));
      expect(all.map(({ output }) => output)).toEqual(['after 1', 'after 2', 'after 3']);
      const [relayed] = await client.call(2, 'remote_echo', { text: 'after' });
      expect(relayed).toMatchObject({ id: 2, result: { content: [{ type: 'text', text: 'after' }] } });
    } finally {
      await host.close();
      await second.close();
    }
  });

  promise('2.2h', 'from npm is reached over each transport it offers', async () => {
    for (const [mode, transport, path] of [
      ['sse', 'sse', '/sse'],
      ['streamableHttp', 'http', '/mcp'],
    ] as const) {
      const port = await quietPort();
      const child = spawn(process.execPath, [npmServer('everything'), mode], {
        env: { ...process.env, PORT: String(port) },
        stdio: 'ignore',
      });
      try {
        await using host = await hostAt(transport, `http://127.0.0.1:${port}${path}`);
        await expect
          .poll(async () => (await host.tools()).length, { timeout: 30_000, interval: 300 })
          .toBeGreaterThan(5);
        expect((await host.call('mcp__remote__echo', { message: 'hi' })).output).toBe('Echo: hi');
      } finally {
        child.kill('SIGKILL');
      }
    }
  });
});

async function plainServer(status: number): Promise<Server> {
  const http = createServer((_request, response) => response.writeHead(status).end('nothing here'));
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  return http;
}
