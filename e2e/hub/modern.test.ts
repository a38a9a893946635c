/** The door as 2026-07-28 wants it: every request stands for itself, and what is wrong with it is said by code and status. */
import { junctor, makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModernRequest, modernAnswer, modernPost } from './modern-rpc.ts';
import { settled } from './settled.ts';

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;
let web: Awaited<ReturnType<typeof serveHttp>>;

beforeAll(async () => {
  home = await makeHome();
  web = await serveHttp(0, { fixtures: true });
  const servers = {
    old: trusted(testServer('--era', 'legacy')),
    web: trusted({ transport: 'http', url: web.url }),
  };
  hub = await startHub(home, { version: 1, servers });
  await settled(hub);
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await web.close();
  await home[Symbol.asyncDispose]();
});

const META = 'io.modelcontextprotocol/';

describe.each(['/mcp/codex', '/servers/old/mcp', '/servers/web/mcp'])('%s', path => {
  const ask = (request: ModernRequest) => modernAnswer(hub, path, request);
  const refusals: [string, ModernRequest, number, number][] = [
    ['an unknown method', { method: 'nobody/knows' }, 404, -32601],
    ['a method of the older era', { method: 'ping' }, 404, -32601],
    [
      'a version nobody speaks',
      {
        method: 'tools/list',
        meta: { [`${META}protocolVersion`]: '2099-01-01' },
        headers: { 'mcp-protocol-version': '2099-01-01' },
      },
      400,
      -32022,
    ],
    [
      'a header that says another version',
      { method: 'tools/list', headers: { 'mcp-protocol-version': '2025-11-25' } },
      400,
      -32020,
    ],
    [
      'a header that says another method',
      { method: 'tools/list', headers: { 'mcp-method': 'tools/call' } },
      400,
      -32020,
    ],
    ['a missing header', { method: 'tools/list', headers: { 'mcp-method': undefined } }, 400, -32020],
    [
      'a request without capabilities',
      { method: 'tools/list', meta: { [`${META}clientCapabilities`]: undefined } },
      400,
      -32602,
    ],
  ];
  test.each(refusals)('refuses %s', async (_what, request, status, code) => {
    expect(await ask(request)).toMatchObject({ status, error: { code } });
  });

  test('names the versions it speaks', async () => {
    const [, request] = refusals[2] as (typeof refusals)[number];
    expect(await ask(request)).toMatchObject({ error: { data: { supported: ['2026-07-28'] } } });
  });

  test('can be asked what it is, with nothing before', async () => {
    const { result } = await ask({ method: 'server/discover' });
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {} },
    });
    expect([typeof result?.ttlMs, typeof result?.cacheScope]).toEqual(['number', 'string']);
  });

  test('says of lists how long they may be kept', async () => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      const { result } = await ask({ method });
      expect([result?.resultType, typeof result?.ttlMs, typeof result?.cacheScope]).toEqual([
        'complete',
        'number',
        'string',
      ]);
    }
  });

  test('keeps a stream of news open, and says what it took', async () => {
    const response = await modernPost(hub, path, {
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true, somethingElse: true } },
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    const [, data = '{}'] = /^data: (.*)$/m.exec(Buffer.from(value ?? []).toString('utf8')) ?? [];
    expect(JSON.parse(data)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { [`${META}subscriptionId`]: 1 } },
    });
    await reader.cancel();
  });
});

describe('a question that comes back with an answer', () => {
  const capabilities = { elicitation: {}, sampling: {}, roots: {} };
  const ask = (more: Record<string, unknown>, token?: string) =>
    modernAnswer(hub, '/servers/old/mcp', {
      method: 'tools/call',
      params: { name: 'ask_person', arguments: {}, ...more },
      capabilities,
      ...(token ? { token } : {}),
    });
  const answers = { q1: { action: 'accept', content: { name: 'Ada' } } };

  promise('7.1g', 'is good for its owner only, unaltered, and once', async () => {
    const { result } = await ask({});
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { q1: { method: 'elicitation/create' } },
    });
    const state = String(result?.requestState);
    const issued = (await junctor(home, ['hub', 'token', '--data', home.data])).stdout.trim().split('\n').at(-1) ?? '';
    // The hub looks for new tokens now and then.
    await expect
      .poll(() => ask({ requestState: state, inputResponses: answers }, issued))
      .toMatchObject({ error: { code: -32602 } });
    for (const altered of [`${state}x`, state.replace(/^./, first => (first === 'a' ? 'b' : 'a')), 'nonsense'])
      expect(await ask({ requestState: altered, inputResponses: answers })).toMatchObject({ error: { code: -32602 } });
    // What was not answered is asked again, under the same key.
    const again = await ask({ requestState: state, inputResponses: {} });
    expect(again.result).toMatchObject({ resultType: 'input_required', inputRequests: { q1: {} } });
    const done = await ask({ requestState: String(again.result?.requestState), inputResponses: answers });
    expect(done.result).toMatchObject({ resultType: 'complete', structuredContent: { action: 'accept' } });
    const twice = await ask({ requestState: String(again.result?.requestState), inputResponses: answers });
    expect(twice).toMatchObject({ error: { code: -32602 } });
  });

  test('is not put to a client that cannot be asked', async () => {
    const { result } = await modernAnswer(hub, '/servers/old/mcp', {
      method: 'tools/call',
      params: { name: 'ask_model', arguments: {} },
      capabilities: {},
    });
    expect(result).toMatchObject({ resultType: 'complete', isError: true });
  });
});

test('arguments that a tool wants repeated as headers are compared', async () => {
  const call = (headers: Record<string, string | undefined>) =>
    modernAnswer(hub, '/mcp/codex', {
      method: 'tools/call',
      params: { name: 'web_test_x_mcp_header', arguments: { region: 'eu', query: 'x', trace: 'x' } },
      headers,
    });
  const tool = (await modernAnswer(hub, '/mcp/codex', { method: 'tools/list' })).result?.tools as {
    name: string;
    inputSchema: { properties: Record<string, { 'x-mcp-header'?: string }> };
  }[];
  const schema = tool.find(({ name }) => name === 'web_test_x_mcp_header')?.inputSchema.properties ?? {};
  expect(Object.values(schema).some(property => property['x-mcp-header'] !== undefined)).toBe(true);
  expect(await call({})).toMatchObject({ status: 400, error: { code: -32020 } });
});
