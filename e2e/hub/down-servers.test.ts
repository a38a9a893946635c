/** Servers that are down, hang or start slowly hold up nobody who asks for the lists or calls the tools of others. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeHome, misbehaving, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

/** An address that can be down: it refuses every request, and counts them, until it is told to serve. */
async function flakyAddress() {
  let asked = 0;
  let serves = false;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
    if (!serves) {
      if (method === 'initialize') asked++;
      return response.writeHead(503).end();
    }
    if (id === undefined) return response.writeHead(202).end();
    const result = RESULTS[method ?? ''] ?? {};
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked: () => asked,
    serve: () => {
      serves = true;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'f', version: '1' } },
  'tools/list': { tools: [{ name: 'late', inputSchema: { type: 'object' } }] },
};

const stateOf = async (hub: RunningHub, server: string): Promise<string> =>
  (await rest(hub, '/api/status')).body.servers.find(({ id }: { id: string }) => id === server).state;

const ROUNDS = 10;

promise('5.6e', 'lists, pages and calls neither wait for servers that are down nor start them again', async () => {
  await using home = await makeHome();
  await using down = await flakyAddress();
  const servers = {
    fine: trusted(testServer()),
    down: { transport: 'http', url: down.url },
    // Every list that waited for it would outlast it.
    hangs: { ...misbehaving('never-answers'), connect_timeout_ms: 40_000 },
  };
  await using hub = await startHub(home, { version: 1, servers });
  await expect.poll(() => stateOf(hub, 'fine')).toBe('ready');
  await expect.poll(() => stateOf(hub, 'down'), { timeout: 20_000 }).toBe('error');
  const client = await clientBeside(hub);
  // The first list may have waited for what had just been started.
  await client.messages({ id: 0, method: 'tools/list' });
  const before = down.asked();
  for (let round = 0; round < ROUNDS; round++) {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])
      expect((await client.messages({ id: method, method })).at(-1)).toHaveProperty('result');
    const { tools } = (await rest(hub, '/api/tools')).body as { tools: { name: string; tool: string }[] };
    const { name } = tools.find(({ tool }) => tool === 'echo') as { name: string };
    for (const path of ['/api/tools/search', `/api/tools/one?name=${name}`])
      expect((await rest(hub, path)).status).toBe(200);
    const [answer] = await client.call('call', 'fine_echo', { text: 'quick' });
    expect(answer).toMatchObject({ result: { content: [{ text: 'quick' }] } });
  }
  expect(await stateOf(hub, 'hangs')).toBe('connecting');
  // At most what the hub tries by itself, after ever longer pauses.
  expect(down.asked() - before).toBeLessThanOrEqual(1);
});

promise('2.7g', 'a server that comes up later is found in the background, and clients hear of it', async () => {
  await using home = await makeHome();
  await using late = await flakyAddress();
  await using hub = await startHub(home, { version: 1, servers: { late: { transport: 'http', url: late.url } } });
  await expect.poll(() => stateOf(hub, 'late'), { timeout: 20_000 }).toBe('error');
  const client = await RawClient.open(hub, '/mcp/codex');
  const names = async (): Promise<string[]> => {
    const [answer] = await client.messages({ id: 1, method: 'tools/list' });
    const { tools } = (answer as { result: { tools: { name: string }[] } }).result;
    return tools.map(({ name }) => name);
  };
  expect(await names()).toEqual([]);
  const abort = new AbortController();
  const stream = await hub.fetch('/mcp/codex', {
    headers: { accept: 'text/event-stream', 'mcp-session-id': client.session },
    signal: abort.signal,
  });
  late.serve();
  const reader = stream.body?.getReader();
  let heard = '';
  while (!heard.includes('notifications/tools/list_changed')) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) break;
    heard += Buffer.from(value ?? []).toString();
  }
  abort.abort();
  expect(await names()).toEqual(['late_late']);
});

/** Opened without waiting for the servers that never get anywhere. */
function clientBeside(hub: RunningHub): Promise<RawClient> {
  const fetch: RunningHub['fetch'] = (path, init) =>
    path.startsWith('/api/status') ? Promise.resolve(Response.json({})) : hub.fetch(path, init);
  return RawClient.open({ fetch }, '/mcp/codex');
}
