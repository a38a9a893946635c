/** Numbers arrive as they were written: in arguments, on every way to a server, and in the ids of requests. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createHost } from '@junctor/core';
import { junctor, makeHome, promise, type RunningHub, startHub, trusted } from '@junctor/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { modernPost } from './modern-rpc.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';
import { shapedStdio } from './shaped-server.ts';

/** What JavaScript would round, or write in another way. */
const NUMBERS = [
  '9223372036854775807',
  '12345678901234567890',
  '-12345678901234567890.5',
  '0.1234567890123456789',
  '1e400',
  '1E5',
  '1.0',
  '1.50',
  '-0',
  '0.0000001',
];
const LIST = `[${NUMBERS.join(',')}]`;
const ARGUMENTS = `{"n": ${NUMBERS[0]},"list":${LIST},"text":"12345678901234567890"}`;
/** As the server gets it, inside a JSON text. */
const ARRIVED = JSON.stringify(`"arguments":${ARGUMENTS.replace('"n": ', '"n":')}`).slice(1, -1);
const ID = '12345678901234567891';

const raw = (text: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
const VALUE = JSON.parse(ARGUMENTS, (_key, value, context?: { source?: string }) =>
  typeof value === 'number' && context?.source !== undefined ? raw(context.source) : value,
) as Record<string, unknown>;

const CONFIG = {
  version: 1,
  servers: {
    demo: trusted(shapedStdio()),
    newer: trusted(shapedStdio('modern')),
    asked: shapedStdio(),
  },
  permissions: {
    deny: ['mcp__demo__say(n=100)', `mcp__demo__say(n=${NUMBERS[0]})`],
    allow: [`mcp__asked__tell(n=${NUMBERS[1]})`],
  },
};

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;

beforeAll(async () => {
  home = await makeHome();
  hub = await startHub(home, CONFIG, ['--approval-wait', '1']);
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const MODERN = { _meta: { [VERSION]: '2026-07-28', [CAPABILITIES]: {} } };
const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const callOf = (name: string, more: object = {}): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: raw(ID),
    method: 'tools/call',
    params: { name, arguments: VALUE, ...more },
  });

async function overSocket(path: string, lines: readonly string[]): Promise<string> {
  const headers = { authorization: `Bearer ${hub.token}` };
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}${path}`, { headers });
  await once(socket, 'open');
  let answer = '';
  for (const line of lines) {
    socket.send(line);
    answer = String((await once(socket, 'message'))[0]);
  }
  socket.terminate();
  return answer;
}

async function overSse(path: string, lines: readonly string[]): Promise<string> {
  const leaving = new AbortController();
  const stream = await hub.fetch(path, { headers: { accept: 'text/event-stream' }, signal: leaving.signal });
  let heard = '';
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  const until = async (wanted: RegExp): Promise<string> => {
    for (;;) {
      const found = wanted.exec(heard)?.[1];
      if (found !== undefined) return found;
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended: ${heard}`);
      heard += Buffer.from(value).toString();
    }
  };
  const address = await until(/event: endpoint\ndata: (.*)\n/);
  let answer = '';
  for (const line of lines) {
    heard = '';
    await hub.fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: line });
    answer = await until(/event: message\ndata: (.*)\n/);
  }
  leaving.abort();
  return answer;
}

async function overHttp(path: string, name: string): Promise<string> {
  const client = await RawClient.open(hub, path);
  const params = { name, arguments: VALUE };
  return (await client.post({ id: raw(ID), method: 'tools/call', params })).text();
}

async function overModernHttp(path: string, name: string): Promise<string> {
  return (await modernPost(hub, path, { method: 'tools/call', params: { name, arguments: VALUE } })).text();
}

async function overConnect(more: object, greets: boolean): Promise<string> {
  const lines = [...(greets ? [JSON.stringify(HELLO)] : []), callOf('demo_tell', more)];
  const input = `${lines.join('\n')}\n`;
  const { stdout } = await junctor(home, ['connect', 'codex', '--data', home.data], { input });
  return stdout;
}

const WAYS: Readonly<Record<string, () => Promise<string>>> = {
  '/mcp': () => overHttp('/mcp/codex', 'demo_tell'),
  '/mcp, to a modern server': () => overHttp('/mcp/codex', 'newer_tell'),
  '/mcp, modern': () => overModernHttp('/mcp/codex', 'demo_tell'),
  '/mcp, modern, to a modern server': () => overModernHttp('/mcp/codex', 'newer_tell'),
  '/servers': () => overHttp('/servers/demo/mcp', 'tell'),
  '/servers, modern': () => overModernHttp('/servers/newer/mcp', 'tell'),
  '/ws': () => overSocket('/ws/codex', [JSON.stringify(HELLO), callOf('demo_tell')]),
  '/ws, modern': () => overSocket('/ws/codex', [callOf('demo_tell', MODERN)]),
  '/sse': () => overSse('/sse/codex', [JSON.stringify(HELLO), callOf('demo_tell')]),
  'junctor connect': () => overConnect({}, true),
  'junctor connect, modern': () => overConnect(MODERN, false),
};

describe('every digit of an argument arrives', () => {
  test.each(Object.entries(WAYS))('over %s', async (way, call) => {
    const answer = await call();
    expect(answer).toContain(ARRIVED);
    // Over HTTP the modern helper numbers its requests itself.
    if (!/^\/(mcp|servers).*modern/.test(way) || way.startsWith('/mcp, to')) expect(answer).toContain(`"id":${ID}`);
  });

  promise(['9.7g'], 'from the command line, through the hub and directly', async () => {
    const file = `${home.path}/own.json`;
    await writeFile(file, JSON.stringify(CONFIG));
    for (const more of [[], ['--direct']]) {
      const words = [
        'mcp',
        'call',
        'demo',
        'tell',
        '--args',
        ARGUMENTS,
        '--config',
        file,
        '--data',
        home.data,
        ...more,
      ];
      const { stdout, stderr } = await junctor(home, words);
      expect([stderr.includes('error'), stdout]).toEqual([false, expect.stringContaining(JSON.parse(`"${ARRIVED}"`))]);
    }
  });

  promise(['9.7g'], 'from a program of its own, and from the page', async () => {
    await using host = await createHost({ config: { servers: CONFIG.servers, permissions: CONFIG.permissions } });
    const result = await host.call({ server: 'demo', tool: 'tell' }, VALUE);
    expect(result.output).toContain(JSON.parse(`"${ARRIVED}"`));
    const body = `{"server":"demo","tool":"tell","arguments":${ARGUMENTS}}`;
    const headers = { 'content-type': 'application/json' };
    expect(await (await hub.fetch('/api/calls', { method: 'POST', headers, body })).text()).toContain(ARRIVED);
  });

  test('and is shown in the books', async () => {
    const { calls } = (await rest(hub, '/api/calls')).body;
    expect(calls[0].arguments).toContain(`"list":${LIST}`);
  });
});

describe('rules see the number that is meant', () => {
  const client = () => RawClient.open(hub, '/mcp/codex');
  const say = async (tool: string, n: string) =>
    JSON.stringify(await (await client()).call(1, tool, { n: raw(n), body: '"result":{"content":[]}' }));

  test.each(['100', '100.0', '1e2', '1.00E2', '9223372036854775807'])('a deny rule covers %s', async n => {
    expect(await say('demo_say', n)).toContain('denied');
  });

  test.each(['101', '9223372036854775806', '9223372036854775808'])('and not %s', async n => {
    expect(await say('demo_say', n)).not.toContain('denied');
  });

  test('an allow rule covers the very number it names', async () => {
    expect(await say('asked_tell', '12345678901234567890')).toContain('12345678901234567890');
    expect(await say('asked_tell', '12345678901234567891')).toContain('approval_required');
  });
});

describe('what a client sends that is no request', () => {
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

  test.each([[['tell']], [7], [null], [{ name: 'tell' }]])('a tool named %j is refused', async name => {
    for (const path of ['/mcp/codex', '/servers/demo/mcp']) {
      const refused = { code: -32602, message: 'The name of tools/call must be a string' };
      const legacy = await RawClient.open(hub, path);
      const params = { name, arguments: {} };
      const [answer] = await legacy.messages({ id: 1, method: 'tools/call', params });
      expect(answer).toEqual({ jsonrpc: '2.0', id: 1, error: refused });
      const modern = await (await modernPost(hub, path, { method: 'tools/call', params })).json();
      expect(modern).toEqual({ jsonrpc: '2.0', id: 1, error: refused });
    }
  });

  test('bytes that are no UTF-8 are refused, and the session goes on', async () => {
    const client = await RawClient.open(hub, '/mcp/codex');
    const [head = '', tail = ''] = callOf('demo_tell').split('"text":"');
    const body = Buffer.concat([Buffer.from(`${head}"text":"`), Buffer.from([0xff, 0xfe]), Buffer.from(tail)]);
    const refused = { code: -32700, message: expect.stringContaining('UTF-8') };
    const posted = await hub.fetch('/mcp/codex', {
      method: 'POST',
      headers: { ...json, 'mcp-session-id': client.session },
      body,
    });
    expect([posted.status, await posted.json()]).toEqual([400, { jsonrpc: '2.0', id: null, error: refused }]);
    const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/codex`, {
      headers: { authorization: `Bearer ${hub.token}` },
    });
    await once(socket, 'open');
    socket.send(body, { binary: true });
    expect(JSON.parse(String((await once(socket, 'message'))[0]))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: refused,
    });
    socket.terminate();
    expect((await client.call(2, 'demo_tell', {}))[0]?.result).toBeDefined();
  });
});
