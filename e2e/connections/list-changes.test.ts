/** List-change subscriptions to servers of the 2026-07-28 era: breaks, refusals and changed sets. */
import type { ServerResponse } from 'node:http';
import { createHost, type Host } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { afterEach, expect, vi } from 'vitest';
import { openStream, smallHttp } from './small-http.ts';

interface Listening {
  readonly resources: readonly string[];
  end(): void;
}

type Refuse = (listening: number) => { readonly code: number; readonly message: string } | undefined;

/** A server that promises to tell of changes of its tools, and what it saw of those who listen. */
async function listenedServer(refuse: Refuse = () => undefined) {
  const streams: Listening[] = [];
  const seen: string[] = [];
  let open = 0;
  const acknowledge = (response: ServerResponse, id: unknown): void => {
    const params = { notifications: {}, _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
    const notification = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params };
    openStream(response, `data: ${JSON.stringify(notification)}\n\n`);
  };
  const server = await smallHttp(({ asked, response, answer }) => {
    const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
    if (asked.method === 'server/discover')
      return answer({ result: { supportedVersions: ['2026-07-28'], capabilities } });
    if (asked.method === 'tools/list') return answer({ result: { tools: [], ttlMs: 0, cacheScope: 'private' } });
    if (asked.method !== 'subscriptions/listen') return;
    const { notifications = {} } = (asked.params ?? {}) as { notifications?: { resourceSubscriptions?: string[] } };
    const number = streams.push({
      resources: notifications.resourceSubscriptions ?? [],
      end: () => response.destroy(),
    });
    seen.push(`opened ${number}`);
    const refusal = refuse(number);
    if (refusal) return answer({ error: refusal });
    open++;
    response.on('close', () => {
      open--;
      seen.push(`closed ${number}`);
    });
    acknowledge(response, asked.id);
    return true;
  });
  return Object.assign(server, { streams, seen, open: () => open });
}

async function listening(url: string): Promise<Host> {
  const host = await createHost({ config: { servers: { x: { transport: 'http', url, trust: 'trusted' } } } });
  await host.links.ready('x');
  return host;
}

/** From here on a pause ends only when a test lets it. */
const holdTime = (): unknown => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
const BOUNDED = { timeout: 10_000 };

afterEach(() => {
  vi.useRealTimers();
});

promise('2.9j', 'subscribing does not lengthen the pause after a break', async () => {
  await using server = await listenedServer();
  await using host = await listening(server.url);
  await expect.poll(() => server.streams.length).toBe(1);
  for (let number = 1; number <= 5; number++) {
    await host.subscribe('x', `it:${number}`);
    await expect.poll(() => server.streams.at(-1)?.resources.length).toBe(number);
    await expect.poll(server.open).toBe(1);
  }
  holdTime();
  const before = server.streams.length;
  server.streams.at(-1)?.end();
  await expect.poll(() => vi.getTimerCount(), BOUNDED).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(1000);
  await expect.poll(() => server.streams.length, BOUNDED).toBe(before + 1);
});

promise('2.9j', 'a subscription made during the pause counts at once', async () => {
  await using server = await listenedServer();
  await using host = await listening(server.url);
  await expect.poll(() => server.streams.length).toBe(1);
  const inTime = AbortSignal.timeout(5000);
  holdTime();
  server.streams[0]?.end();
  // Polling would let the held time go on.
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition() && !inTime.aborted) await new Promise(setImmediate);
  };
  await until(() => vi.getTimerCount() > 0);
  await host.subscribe('x', 'it:now');
  await until(() => server.streams.length > 1);
  expect(server.streams[1]?.resources).toEqual(['it:now']);
});

promise('2.9j', 'one error of the server does not end it', async () => {
  await using server = await listenedServer(number => (number === 1 ? { code: -32603, message: 'busy' } : undefined));
  await using host = await listening(server.url);
  await expect.poll(server.open, BOUNDED).toBe(1);
  await host.subscribe('x', 'it:later');
  await expect.poll(() => server.streams.at(-1)?.resources, BOUNDED).toEqual(['it:later']);
});

promise('2.9j', 'a server that does not know the method is asked again only for a new subscription', async () => {
  await using server = await listenedServer(() => ({ code: -32601, message: 'Method not found' }));
  await using host = await listening(server.url);
  await expect.poll(() => server.streams.length).toBe(1);
  holdTime();
  await host.subscribe('x', 'it:tried');
  await expect.poll(() => server.streams.length, BOUNDED).toBe(2);
});

promise('2.9j', 'nothing is missed between two streams: they overlap, or the lists count as changed', async () => {
  await using server = await listenedServer();
  await using host = await listening(server.url);
  await expect.poll(() => server.streams.length).toBe(1);
  host.events.on('list-changed', ({ list }) => server.seen.push(`${list} changed`));
  await host.subscribe('x', 'it:a');
  await expect.poll(() => server.seen).toEqual(['opened 1', 'opened 2', 'closed 1']);
  server.streams[1]?.end();
  // Told when the server listens again: what changes from then on is heard.
  await expect.poll(() => server.seen.slice(3), BOUNDED).toEqual(['closed 2', 'opened 3', 'tools changed']);
});
