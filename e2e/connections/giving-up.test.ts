/** Whoever gives something up is not kept waiting for it, and nothing of it goes on. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHost, type Host } from '@junctor/core';
import { makeHome, misbehaving, testServer, trusted } from '@junctor/testkit';
import { fragileServer } from '@junctor/testkit/peers';
import { describe, expect, test } from 'vitest';
import { openStream, smallHttp } from './small-http.ts';

describe('closing', () => {
  test('a host that is starting starts none of those that wait for their turn', async () => {
    await using home = await makeHome();
    const diary = join(home.path, 'diary');
    const code = `require('fs').appendFileSync(${JSON.stringify(diary)}, '.'); process.stdin.resume()`;
    const server = { transport: 'stdio', command: process.execPath, args: ['-e', code] };
    const servers = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`s${index}`, server]));
    const host = await createHost({ config: { servers, startup: { local_at_once: 1 } }, attempts: 1 });
    const starting = host.start();
    await expect.poll(() => host.links.ids.filter(id => host.links.state(id).kind === 'connecting')).not.toEqual([]);
    await host.close();
    const { failed } = await starting;
    expect(failed).toHaveLength(12);
    // One was starting, and one had the free slot before the news.
    const started = await readFile(diary, 'utf8').catch(() => '');
    expect(started.length).toBeLessThanOrEqual(2);
  });

  test('a server that waits for its turn does not wait for those before it', async () => {
    await using silent = await smallHttp(() => true);
    const server = { transport: 'http', url: silent.url };
    await using host = await createHost({
      config: { servers: { first: server, next: server }, startup: { remote_at_once: 1 } },
    });
    const opening = ['first', 'next'].map(id => host.links.ready(id).catch(error => error.code));
    await expect.poll(() => silent.connections()).toBe(1);
    await host.links.close('next');
    expect([await opening[1], host.links.state('first').kind]).toEqual(['cancelled', 'connecting']);
    await host.close();
    expect(await opening[0]).toBe('cancelled');
  });

  test('a host is for good: neither a config that was just being read nor a session that comes too late opens anything', async () => {
    await using home = await makeHome();
    const path = join(home.project, 'junctor.json');
    const write = (servers: object) => writeFile(path, JSON.stringify({ version: 1, servers }));
    await write({ demo: testServer() });
    const host = await createHost({ path, data: home.data, isolated: true });
    await host.links.ready('demo');
    await write({ demo: testServer(), late: testServer() });
    const reading = host.reload();
    await host.close();
    expect((await reading).added).toEqual(['late']);
    await expect(host.links.ready('late')).rejects.toMatchObject({ code: 'cancelled' });
    await expect(host.links.another('demo', {}).ready()).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('a server that was just lost keeps it closed', async () => {
    await using home = await makeHome();
    await using host = await createHost({ config: { servers: { shop: fragileServer(join(home.path, 'diary')) } } });
    await host.links.ready('shop');
    await expect(host.call({ server: 'shop', tool: 'pay' })).rejects.toMatchObject({ code: 'connection_lost' });
    await host.links.close('shop');
    const states: string[] = [];
    host.events.on('state-changed', ({ state }) => states.push(state.kind));
    // It would be back after 100 ms.
    await sleep(400);
    expect(states).toEqual([]);
  });

  test('ends a call on a session that the server has forgotten, and its connection', async () => {
    let forgets = false;
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const tools = ['work', 'endless'].map(name => ({ name, inputSchema: { type: 'object' } }));
    await using server = await smallHttp(({ asked, response, answer }) => {
      if (asked.method === 'initialize') {
        response.setHeader('mcp-session-id', `s${Math.random()}`);
        forgets = false;
      }
      if (asked.method === 'tools/list') return answer({ result: { tools } });
      if (asked.params?.name === 'endless') {
        arrive();
        return openStream(response);
      }
      if (!forgets || asked.method !== 'tools/call') return;
      response.writeHead(404).end();
      return true;
    });
    const host = await createHost({
      config: { servers: { x: { transport: 'http', url: server.url, trust: 'trusted' } } },
    });
    await host.links.ready('x');
    const endless = host.call({ server: 'x', tool: 'endless' });
    const ended = expect(endless).rejects.toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
    await arrived;
    forgets = true;
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
    await host.close();
    await ended;
    await expect.poll(() => server.connections()).toBe(0);
  });

  test('is not kept by a server whose goodbye drips', async () => {
    await using server = await smallHttp(({ asked, request, response }) => {
      if (asked.method === 'initialize') response.setHeader('mcp-session-id', 's1');
      if (request.method !== 'DELETE') return;
      openStream(response);
      const drip = setInterval(() => response.write(':\n'), 100);
      response.on('close', () => clearInterval(drip));
      return true;
    });
    const host = await createHost({ config: { servers: { x: { transport: 'http', url: server.url } } } });
    await host.links.ready('x');
    await host.close();
  });
});

describe('a sign-in that is wanted meanwhile', () => {
  test('lets go of the stream of news: each connection has one', async () => {
    let open = 0;
    await using server = await smallHttp(({ asked, response, answer }) => {
      const capabilities = { tools: { listChanged: true } };
      if (asked.method === 'server/discover')
        return answer({ result: { supportedVersions: ['2026-07-28'], capabilities } });
      if (asked.method === 'subscriptions/listen') {
        open++;
        response.on('close', () => open--);
        return openStream(response);
      }
      if (asked.method !== 'tools/call') return;
      response.writeHead(401).end();
      return true;
    });
    const definition = {
      transport: 'http',
      url: server.url,
      trust: 'trusted',
      headers: { Authorization: 'Bearer abcdef' },
    };
    const host = await createHost({ config: { servers: { x: definition } } });
    for (let round = 0; round < 3; round++) {
      await host.links.reconnect('x');
      await expect.poll(() => open).toBe(1);
      await expect(host.call({ server: 'x', tool: 'work' })).rejects.toMatchObject({ code: 'auth_required' });
      await expect.poll(() => open).toBe(0);
    }
    await host.close();
  });
});

test('a host whose signal was raised before it began opens nothing', async () => {
  const config = { servers: { x: trusted(misbehaving('never-answers')) } };
  await using host = await createHost({ config, signal: AbortSignal.abort(), connect: 'eager' });
  await expect(host.links.ready('x')).rejects.toMatchObject({ code: 'cancelled' });
});

/** Raised once a server is being opened. */
function whileConnecting(host: Host): AbortSignal {
  const given = new AbortController();
  host.events.on('state-changed', ({ state }) => {
    if (state.kind === 'connecting') setImmediate(() => given.abort());
  });
  return given.signal;
}

describe('a call that is given up', () => {
  test('while its server is being opened ends at once, as not sent', async () => {
    await using host = await createHost({ config: { servers: { x: trusted(misbehaving('never-answers')) } } });
    const signal = whileConnecting(host);
    await expect(host.call({ server: 'x', tool: 'any' }, {}, { signal })).rejects.toMatchObject({
      code: 'cancelled',
      outcome: 'not_sent',
    });
    expect(host.links.state('x').kind).toBe('connecting');
  });

  test('and a resource, in the same way', async () => {
    await using host = await createHost({ config: { servers: { x: trusted(misbehaving('never-answers')) } } });
    const reading = host.readResource('x', 'file:///x', { signal: whileConnecting(host) });
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  });
});

test('a call that waits when its server is closed is told that, and not how the server ended then', async () => {
  await using host = await createHost({ config: { servers: { x: trusted(testServer()) } } });
  await host.links.ready('x');
  const waiting = host.call({ server: 'x', tool: 'slow' }, { ms: 60_000 });
  const ended = expect(waiting).rejects.toMatchObject({
    code: 'connection_lost',
    message: "The connection to server 'x' was closed.",
    outcome: 'unknown',
  });
  await expect.poll(async () => (await host.call({ server: 'x', tool: 'state' })).data).toMatchObject({ running: 1 });
  await host.links.close('x');
  await ended;
});
