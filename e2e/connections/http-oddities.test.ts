/** Answers over HTTP as proxies and careless servers give them: nobody waits for what will not come, and nothing is kept open. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createHost } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { type Exchange, openStream, smallHttp } from './small-http.ts';
import { smallSse } from './small-sse.ts';

const hostAt = (url: string, transport: 'http' | 'sse' = 'http') =>
  createHost({ config: { servers: { x: { transport, url, trust: 'trusted', oauth: false } } }, attempts: 1 });

const RESULT = { content: [{ type: 'text', text: 'done' }] };
const event = (id: number | undefined): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: RESULT })}\n\n`;

/** A status with the beginning of a longer body. */
function begin(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 100, 'content-type': 'text/plain' }).write('half a reason');
}

/** Whatever becomes of the rest. */
const RESTS: readonly [string, (response: ServerResponse) => void][] = [
  ['never comes', () => {}],
  ['is cut off', response => setImmediate(() => response.destroy())],
];

describe.concurrent.each(RESTS)('a refusal whose rest %s', (_title, leave) => {
  const refuse = (response: ServerResponse): true => {
    begin(response, 500);
    leave(response);
    return true;
  };
  const refused = { code: 'connection_failed', why: expect.stringMatching(/^HTTP 500/) };

  test('fails the call with its status', async () => {
    await using server = await smallHttp(({ asked, response }) =>
      asked.method === 'tools/call' ? refuse(response) : undefined,
    );
    await using host = await hostAt(server.url);
    await expect(host.call({ server: 'x', tool: 'work' })).rejects.toMatchObject(refused);
  });

  test('fails the older transport in the same way, as it opens and when it is called', async () => {
    await using server = await smallSse(({ asked, request, response }) =>
      request.url === '/refuses' || asked.method === 'tools/call' ? refuse(response) : undefined,
    );
    await using closed = await hostAt(`${server.origin}/refuses`, 'sse');
    await using host = await hostAt(`${server.origin}/sse`, 'sse');
    await Promise.all([
      expect(closed.links.ready('x')).rejects.toMatchObject(refused),
      expect(host.call({ server: 'x', tool: 'work' })).rejects.toMatchObject(refused),
    ]);
  });
});

test('a stream that is left open after its answer is let go: no call keeps a connection', async () => {
  await using server = await smallHttp(({ asked, response }) =>
    asked.method === 'tools/call' ? openStream(response, event(asked.id)) : undefined,
  );
  await using host = await hostAt(server.url);
  const calls = Array.from({ length: 20 }, () => host.call({ server: 'x', tool: 'work' }));
  expect((await Promise.all(calls)).map(({ output }) => output)).toEqual(calls.map(() => 'done'));
  await expect.poll(() => server.connections(), { timeout: 60_000 }).toBeLessThan(5);
});

test('the type of an answer may be written in capitals', async () => {
  await using server = await smallHttp(({ asked, response }) => {
    if (asked.method !== 'tools/call') return;
    response.writeHead(200, { 'content-type': 'Text/Event-Stream; Charset=UTF-8' }).end(event(asked.id));
    return true;
  });
  await using host = await hostAt(server.url);
  expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
});

promise('2.2k', 'an event stream whose lines end in CR alone is read as it comes', async () => {
  await using server = await smallHttp(({ asked, response }) => {
    if (asked.method !== 'tools/call') return;
    // It stays open: the answer has to be read without what follows it.
    return openStream(response, `id: 1\r\r${event(asked.id).replaceAll('\n', '\r')}`);
  });
  await using host = await hostAt(server.url);
  expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
});

test('a server that asks by the thousand is answered over a few connections', async () => {
  const { promise: ready, resolve } = Promise.withResolvers<ServerResponse>();
  const held: ServerResponse[] = [];
  let answered = 0;
  await using server = await smallHttp(({ asked, request, response }) => {
    if (request.method === 'GET') {
      openStream(response);
      resolve(response);
      return true;
    }
    if (asked.method !== undefined) return;
    answered++;
    held.push(response);
    // As many as there can be at once, before the first is let go.
    setTimeout(() => held.shift()?.writeHead(202).end(), 50);
    return true;
  });
  await using host = await hostAt(server.url);
  await host.links.ready('x');
  const question = { jsonrpc: '2.0', id: 'again', method: 'ping' };
  (await ready).write(`data: ${JSON.stringify(question)}\n\n`.repeat(500));
  let most = 0;
  await expect
    .poll(async () => {
      most = Math.max(most, await server.connections());
      return answered;
    })
    .toBe(500);
  expect(most).toBeLessThan(50);
  expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
});

test('an answer that is packed though nobody asked for it is told as such', async () => {
  await using server = await smallHttp(({ asked, response }) => {
    if (asked.method !== 'tools/call') return;
    const body = JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: RESULT });
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(body));
    return true;
  });
  await using host = await hostAt(server.url);
  await expect(host.call({ server: 'x', tool: 'work' })).rejects.toMatchObject({
    code: 'malformed_response',
    why: `what came from ${server.origin} is encoded as gzip`,
  });
});

test('a page for people in place of the older transport is told as such', async () => {
  await using server = await smallHttp(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Sign in</title></html>');
    return true;
  });
  await using host = await hostAt(server.url, 'sse');
  await expect(host.collect('x')).rejects.toMatchObject({
    code: 'malformed_response',
    why: expect.stringContaining('a web page titled "Sign in"'),
  });
});

test('a server of others that cannot be opened is not to be started by hand', async () => {
  await using breaks = await smallHttp(({ response }) => {
    response.destroy();
    return true;
  });
  await using silent = await smallHttp(() => true);
  await using broken = await hostAt(breaks.url);
  await using waiting = await createHost({
    config: { servers: { x: { transport: 'http', url: silent.url, connect_timeout_ms: 200 } } },
    attempts: 1,
  });
  await expect(broken.collect('x')).rejects.toMatchObject({ hint: expect.stringMatching(/^check its url, and see/) });
  await expect(waiting.collect('x')).rejects.toMatchObject({ hint: expect.stringMatching(/or check that its url is/) });
});

describe.concurrent('a server that is in trouble for a moment', () => {
  const inTrouble = ({ response }: Exchange): true => {
    response.writeHead(503).end('back soon');
    return true;
  };

  test('gives the rest of an answer afterwards', async () => {
    let awaited: number | undefined;
    let looks = 0;
    await using server = await smallHttp(exchange => {
      const { asked, request, response } = exchange;
      if (asked.method === 'tools/call') {
        awaited = asked.id;
        openStream(response, 'id: 1\nretry: 1\n\n');
        response.end();
        return true;
      }
      if (request.headers['last-event-id'] !== '1') return;
      if (++looks === 1) return inTrouble(exchange);
      openStream(response, event(awaited));
      response.end();
      return true;
    });
    await using host = await hostAt(server.url);
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  });

  test.for([503, 429, 401])('and says so with %d tells its news afterwards', async status => {
    let looks = 0;
    await using server = await smallHttp(({ request, response }) => {
      if (request.method !== 'GET') return;
      if (++looks === 2) {
        response.writeHead(status).end('back soon');
        return true;
      }
      const news = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'it:changed' } };
      openStream(response, looks === 1 ? 'retry: 1\n\n' : `data: ${JSON.stringify(news)}\n\n`);
      if (looks === 1) response.end();
      return true;
    });
    await using host = await hostAt(server.url);
    const { promise: heard, resolve } = Promise.withResolvers<string>();
    host.events.on('resource-updated', ({ uri }) => resolve(uri));
    await host.links.ready('x');
    expect(await heard).toBe('it:changed');
  });

  test('and was away for longer tells its news all the same', async () => {
    let looks = 0;
    await using server = await smallHttp(({ request, response }) => {
      if (request.method !== 'GET') return;
      looks++;
      if (looks === 1) openStream(response, 'retry: 1\n\n');
      if (looks <= 6) setImmediate(() => response.destroy());
      return true;
    });
    await using host = await hostAt(server.url);
    await host.links.ready('x');
    await expect.poll(() => looks, { timeout: 60_000 }).toBe(7);
  });
});

test('a server that ends the stream of a call again and again while it works is asked until it has the answer', async () => {
  let looks = 0;
  let awaited: number | undefined;
  await using server = await smallHttp(({ asked, request, response }) => {
    if (asked.method === 'tools/call') awaited = asked.id;
    else if (request.headers['last-event-id'] === undefined) return;
    openStream(response, looks < 8 ? `id: ${++looks}\nretry: 1\ndata:\n\n` : event(awaited));
    response.end();
    return true;
  });
  await using host = await hostAt(server.url);
  expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  expect(looks).toBe(8);
});
