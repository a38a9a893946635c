/** `/sse/<agent>`: the transport from before Streamable HTTP, on the same rooms. */
import { isRunning, makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { RawClient } from './rpc.ts';
import { settled } from './settled.ts';

async function sseClient(hub: RunningHub, name: string, path = '/sse/claude-code'): Promise<Client> {
  await settled(hub);
  const client = new Client({ name, version: '1' }, { capabilities: { elicitation: {}, sampling: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: { name } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant' as const,
    content: { type: 'text' as const, text: `${name} says hello` },
    model: 'scripted',
  }));
  const requestInit = { headers: { authorization: `Bearer ${hub.token}` } };
  const fetching: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...requestInit.headers } });
  await client.connect(
    new SSEClientTransport(new URL(`${hub.url}${path}`), {
      requestInit,
      eventSourceInit: { fetch: fetching },
    }) as never,
  );
  return client;
}

/** The steps that reach a client; its callback is not told of those that come in one piece with the answer. */
function stepsTo({ transport }: Client): number[] {
  const steps: number[] = [];
  const pass = transport?.onmessage;
  if (transport)
    transport.onmessage = (message, extra) => {
      if ('method' in message && message.method === 'notifications/progress')
        steps.push(Number(message.params?.progress));
      pass?.(message, extra);
    };
  return steps;
}

const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe('over SSE', () => {
  promise(['8.23b', '5.4c'], 'sessions share one process with those over HTTP, and each gets its own', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, {
      version: 1,
      servers: { demo: { ...trusted(testServer()), mode: 'shared' } },
    });
    const clients = await Promise.all(['one', 'two', 'three'].map(name => sseClient(hub, name)));
    const web = await Promise.all([1, 2].map(() => RawClient.open(hub, '/mcp/codex')));
    const [first] = clients;
    expect((await first?.listTools())?.tools.map(({ name }) => name)).toContain('demo_echo');
    const call = (client: Client | undefined, name: string, args = {}) =>
      client?.callTool({ name: `demo_${name}`, arguments: args });
    const pids = await Promise.all([
      ...clients.map(async client => textOf(await call(client, 'pid'))),
      ...web.map(async client => textOf((await client.call(1, 'demo_pid', {}))[0]?.result)),
    ]);
    expect(new Set(pids).size).toBe(1);
    // One first, so that it is known to ask; then all at once.
    expect(textOf(await call(first, 'ask_person'))).toContain('one');
    expect(await Promise.all(clients.map(async client => textOf(await call(client, 'ask_person'))))).toEqual(
      ['one', 'two', 'three'].map(name => JSON.stringify({ action: 'accept', content: { name } })),
    );
    expect(textOf(await call(clients[1], 'ask_model'))).toBe('two says hello');
    const steps = stepsTo(first as Client);
    await first?.callTool({ name: 'demo_slow', arguments: { ms: 50 } }, undefined, { onprogress() {} });
    expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const client of clients) await client.close();
  });

  promise('5.4h', 'the connection is the session: what it held ends with it', async () => {
    await using home = await makeHome();
    const servers = { demo: { ...trusted(testServer()), mode: 'per_session' } };
    await using hub = await startHub(home, { version: 1, servers });
    const [one, two] = await Promise.all([sseClient(hub, 'one'), sseClient(hub, 'two')]);
    const pid = async (client: Client) => Number(textOf(await client.callTool({ name: 'demo_pid', arguments: {} })));
    const pids = [await pid(one), await pid(two)];
    expect([await pid(one), await pid(two)]).toEqual(pids);
    expect(pids[0]).not.toBe(pids[1]);
    await two.close();
    await expect.poll(() => isRunning(pids[1] as number)).toBe(false);
    expect(isRunning(pids[0] as number)).toBe(true);
    await one.close();
    await expect.poll(() => isRunning(pids[0] as number)).toBe(false);
  });

  test('a stream is spoken on by whoever opened it, and needs a token', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: {} });
    expect((await fetch(`${hub.url}/sse/codex`)).status).toBe(401);
    expect((await hub.fetch('/sse/emacs')).status).toBe(404);
    const posted = await hub.fetch('/sse/codex?session=guessed', { method: 'POST', body: '{}' });
    expect(posted.status).toBe(404);
  });
});
