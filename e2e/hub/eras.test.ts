/** Any client reaches any server: four pairs of eras, at both doors, over a pipe and over HTTP, one table. */
import { makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { oldEverything, sdkStdio } from '@junctor/testkit/peers';
import { type HttpTestServer, serveHttp } from '@junctor/testkit/test-server';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Era, type Peer, sdkPeer } from './sdk-peer.ts';
import { settled } from './settled.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const PAIRS = ERAS.flatMap(client => ERAS.map(server => ({ client, server })));

/** The doors of the table: names differ behind them, and nothing else. */
const DOORS = [
  {
    name: 'the door of an agent, a pipe behind',
    path: () => '/mcp/codex',
    server: (era: Era) => `pipe-${era}`,
    prefix: true,
  },
  {
    name: "a server's own door, HTTP behind",
    path: (era: Era) => `/servers/web-${era}/mcp`,
    server: (era: Era) => `web-${era}`,
    prefix: false,
  },
] as const;

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;
const upstreams: HttpTestServer[] = [];

beforeAll(async () => {
  home = await makeHome();
  const servers: Record<string, object> = {};
  for (const era of ERAS) {
    const web = await serveHttp(0, { era });
    upstreams.push(web);
    servers[`web-${era}`] = trusted({ transport: 'http', url: web.url });
    servers[`pipe-${era}`] = trusted(testServer('--era', era));
  }
  hub = await startHub(home, { version: 1, servers });
  await settled(hub);
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  for (const upstream of upstreams) await upstream.close();
  await home[Symbol.asyncDispose]();
});

const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

/** The clauses that a pair of eras proves beside its own. */
const PAIR_CLAUSE = {
  'legacy legacy': { clause: '7.1e' },
  'legacy modern': { clause: '7.1b' },
  'modern legacy': { clause: '7.1a' },
  'modern modern': { clause: '7.1d' },
} as const;

describe.each(DOORS)('$name', ({ path, server, prefix }) => {
  describe.each(PAIRS)('a $client client and a $server server', pair => {
    const name = (tool: string): string => (prefix ? `${server(pair.server)}_${tool}` : tool);
    const uri = (own: string): string => (prefix ? `junctor://${server(pair.server)}/${own}` : own);
    const meet = (who?: string): Promise<Peer> =>
      sdkPeer(hub, path(pair.server), { era: pair.client, ...(who ? { name: who } : {}) });
    const key = `${pair.client} ${pair.server}` as keyof typeof PAIR_CLAUSE;

    promise(['8.23a', PAIR_CLAUSE[key].clause], 'tools are listed and called, and their errors told', async () => {
      await using peer = await meet();
      expect(peer.client.getProtocolEra()).toBe(pair.client);
      const { tools } = await peer.client.listTools();
      expect(tools.map(tool => tool.name)).toEqual(expect.arrayContaining([name('echo'), name('slow')]));
      const call = (tool: string, args: Record<string, unknown>) =>
        peer.client.callTool({ name: name(tool), arguments: args });
      expect(textOf(await call('echo', { text: 'grüße' }))).toBe('grüße');
      expect((await call('json_response', {})).structuredContent).toEqual({ ok: true, items: [1, 2, 3] });
      expect(await call('fail', { message: 'no' })).toMatchObject({ isError: true, content: [{ text: 'no' }] });
      await expect(call('there_is_none', {})).rejects.toThrow(/no tool/);
    });

    promise('7.1i', 'progress arrives, all of it and before the answer', async () => {
      await using peer = await meet();
      const seen: number[] = [];
      const result = await peer.client.callTool(
        { name: name('slow'), arguments: { ms: 50 } },
        { onprogress: ({ progress }) => void seen.push(progress) },
      );
      expect([textOf(result), seen]).toEqual(['waited 50 ms', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
    });

    test('a cancelled call ends at the server too', async () => {
      await using peer = await meet();
      const state = async () =>
        (await peer.client.callTool({ name: name('state'), arguments: {} })).structuredContent as {
          running: number;
          cancelled: number;
        };
      const before = await state();
      const giveUp = new AbortController();
      const cancelled = peer.client.callTool(
        { name: name('slow'), arguments: { ms: 100_000 } },
        { signal: giveUp.signal },
      );
      await expect.poll(async () => (await state()).running).toBe(before.running + 1);
      giveUp.abort();
      await expect(cancelled).rejects.toThrow();
      await expect.poll(state).toEqual({ running: before.running, cancelled: before.cancelled + 1 });
    });

    promise('7.1g', 'a person is asked, and the call goes on with the answer', async () => {
      await using peer = await meet('Grace');
      const { structuredContent } = await peer.client.callTool({ name: name('ask_person'), arguments: {} });
      expect(structuredContent).toEqual({ action: 'accept', content: { name: 'Grace', colour: 'blue' } });
      expect(peer.asked).toEqual(['elicitation/create']);
    });

    promise('7.1h', 'the model of the client is asked, and so are its folders', async () => {
      await using peer = await meet('Grace');
      expect(textOf(await peer.client.callTool({ name: name('ask_model'), arguments: {} }))).toBe('Grace says hello');
      expect(textOf(await peer.client.callTool({ name: name('show_roots'), arguments: {} }))).toBe(
        'file:///home/Grace',
      );
      expect(peer.asked).toContain('sampling/createMessage');
    });

    test('a changed list is told', async () => {
      await using peer = await meet();
      if (pair.client === 'modern') await peer.client.listen({ toolsListChanged: true, promptsListChanged: true });
      await peer.client.callTool({ name: name('add_prompt'), arguments: { name: `p-${pair.client}-${prefix}` } });
      await expect.poll(() => peer.heard.map(({ method }) => method)).toContain('notifications/prompts/list_changed');
      const { prompts } = await peer.client.listPrompts();
      expect(prompts.map(prompt => prompt.name)).toContain(name(`p-${pair.client}-${prefix}`));
    });

    test('resources are listed, read, and followed', async () => {
      await using peer = await meet();
      const { resources } = await peer.client.listResources();
      expect(resources.map(resource => resource.uri)).toContain(uri('demo://note'));
      const { resourceTemplates } = await peer.client.listResourceTemplates();
      expect(resourceTemplates.some(({ uriTemplate }) => uriTemplate.startsWith(uri('demo://')))).toBe(true);
      if (pair.client === 'modern') await peer.client.listen({ resourceSubscriptions: [uri('demo://note')] });
      else await peer.client.subscribeResource({ uri: uri('demo://note') });
      await peer.client.callTool({ name: name('update_resource'), arguments: { text: `by ${pair.client}` } });
      await expect
        .poll(() => peer.heard.find(({ method }) => method === 'notifications/resources/updated')?.params)
        .toMatchObject({ uri: uri('demo://note') });
      const { contents } = await peer.client.readResource({ uri: uri('demo://note') });
      expect(contents).toMatchObject([{ uri: uri('demo://note'), text: `by ${pair.client}` }]);
      await expect(peer.client.readResource({ uri: uri('demo://nowhere') })).rejects.toThrow(/not found/i);
    });

    test('prompts are listed, got and completed', async () => {
      await using peer = await meet();
      const { prompts } = await peer.client.listPrompts();
      const greet = prompts.find(prompt => prompt.name.startsWith(name('')) && prompt.arguments?.length);
      const args = Object.fromEntries((greet?.arguments ?? []).map(argument => [argument.name, 'x']));
      const got = await peer.client.getPrompt({ name: greet?.name ?? '', arguments: args });
      expect(got.messages.length).toBeGreaterThan(0);
      const { completion } = await peer.client.complete({
        ref: { type: 'ref/prompt', name: greet?.name ?? '' },
        argument: { name: greet?.arguments?.[0]?.name ?? '', value: '' },
      });
      expect(Array.isArray(completion.values)).toBe(true);
    });
  });
});

promise('7.1f', 'a client of 2026-07-28 needs no initialize and no session', async () => {
  await using peer = await sdkPeer(hub, '/mcp/codex', { era: 'modern' });
  const answer = await hub.fetch('/mcp/codex', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'pipe-modern_echo',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: {
        name: 'pipe-modern_echo',
        arguments: { text: 'first words' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  expect(answer.headers.get('mcp-session-id')).toBeNull();
  expect(await answer.json()).toMatchObject({ id: 7, result: { content: [{ text: 'first words' }] } });
  expect(peer.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
});

promise('7.1c', 'clients of 2025-06-18 and older reach servers of both eras', async () => {
  for (const version of ['2025-06-18', '2025-03-26', '2024-11-05']) {
    const client = new ClientV1({ name: 'old', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${hub.token}` } };
    const transport = new TransportV1(new URL(`${hub.url}/mcp/codex`), { requestInit });
    const send = transport.send.bind(transport);
    // The client asks for its own version, as one of that time does.
    transport.send = (message, options) => {
      const initialize = message as { method?: string; params?: { protocolVersion?: string } };
      if (initialize.method === 'initialize' && initialize.params) initialize.params.protocolVersion = version;
      return send(message, options);
    };
    await client.connect(transport as never);
    for (const era of ERAS) {
      const result = await client.callTool({ name: `pipe-${era}_echo`, arguments: { text: version } });
      expect(textOf(result)).toBe(version);
    }
    await client.close();
  }
});

test('real servers of other makers: one that speaks both eras, one that knows only 2025-03-26', async () => {
  await using other = await makeHome();
  await using busy = await startHub(other, {
    version: 1,
    servers: { sdk: sdkStdio(), old: oldEverything('2025-03-26') },
  });
  for (const era of ERAS) {
    await using peer = await sdkPeer(busy, '/mcp/codex', { era, name: 'Lin' });
    expect(textOf(await peer.client.callTool({ name: 'sdk_ask_name', arguments: {} }))).toBe('hello Lin');
    expect(textOf(await peer.client.callTool({ name: 'old_echo', arguments: { message: era } }))).toBe(`Echo: ${era}`);
  }
});
