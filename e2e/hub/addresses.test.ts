/** The addresses of endpoints: each spelling leads to the same endpoint. */
import { makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import { RawClient } from './rpc.ts';

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;

beforeAll(async () => {
  home = await makeHome();
  const servers = { demo: trusted(testServer()), other: trusted(testServer()) };
  hub = await startHub(home, { version: 1, servers, agents: { My_Agent: { servers: ['demo'] } } });
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const listTools = (path: string, session: string) =>
  hub.fetch(path, {
    method: 'POST',
    headers: { 'mcp-session-id': session },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

promise('8.23h', 'a session is the same at every spelling of its address', async () => {
  for (const [path, ...spellings] of [
    ['/mcp/claude-code', '/mcp/Claude-Code', '/mcp/claude_code', '/mcp/CLAUDE_CODE/', '/mcp/claude-code/'],
    ['/mcp/my-agent', '/mcp/my_agent', '/mcp/My_Agent/'],
    ['/servers/demo/mcp', '/servers/demo/mcp/'],
  ] as [string, ...string[]][]) {
    const { session } = await RawClient.open(hub, path);
    for (const spelling of spellings) {
      const answer = await listTools(spelling, session);
      expect([spelling, answer.status]).toEqual([spelling, 200]);
      const { result } = (await answer.json()) as { result: { tools: { name: string }[] } };
      const offersOther = result.tools.some(({ name }) => name.startsWith('other_'));
      expect(offersOther).toBe(path === '/mcp/claude-code');
    }
  }
});

promise('8.23h', 'the stream of the older transport names the one address', async () => {
  const hangUp = new AbortController();
  const stream = await hub.fetch('/sse/CoDeX/', { signal: hangUp.signal });
  const { value } = await (stream.body as ReadableStream<Uint8Array>).getReader().read();
  expect(Buffer.from(value as Uint8Array).toString()).toMatch(/^event: endpoint\ndata: \/sse\/codex\?session=/);
  hangUp.abort();
});

promise('8.23h', 'a token of an agent opens its endpoint, however its id is spelled', async () => {
  const made = await hub.fetch('/api/tokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ agent: 'Claude_Code' }),
  });
  const { token } = (await made.json()) as { token: string };
  const open = (path: string) =>
    hub.fetch(path, {
      method: 'POST',
      token,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {} },
      }),
    });
  expect((await open('/mcp/claude-code')).status).toBe(200);
  expect((await open('/mcp/Claude_Code/')).status).toBe(200);
  expect((await open('/mcp/codex')).status).toBe(403);
});
