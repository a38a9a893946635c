/** JSON-RPC batches, on every way to the hub: revision 2025-03-26 has them, and no other. */
import { makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import { WebSocket } from 'ws';
import { rawConnect } from './raw-connect.ts';
import { settledBehind } from './settled.ts';

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;
const PATH = '/mcp/codex';
const WITH_BATCHES = '2025-03-26';

beforeAll(async () => {
  home = await makeHome();
  hub = await startHub(home, { version: 1, servers: { demo: { ...trusted(testServer()), mode: 'shared' } } });
  await settledBehind(hub, PATH);
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

interface Answer {
  readonly id: unknown;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number };
}

const initialize = (protocolVersion: string): object => ({
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'batches', version: '1' } },
});
const call = (id: unknown, name: string, args: object, _meta?: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...(_meta ? { _meta } : {}) },
});
const echo = (id: unknown, text: string): object => call(id, 'demo_echo', { text });
const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/initialized' };
const BATCH = [echo(1, 'one'), NOTIFICATION, { jsonrpc: '2.0', id: 'p', method: 'ping' }, echo(2, 'two'), 7];

const EXPECTED = [
  [1, 'one'],
  ['p', undefined],
  [2, 'two'],
  [null, -32600],
];
const briefly = (answers: readonly Answer[]): unknown[] =>
  answers.map(({ id, result, error }) => [id, error?.code ?? result?.content?.[0]?.text]);

function post(body: unknown, session?: string): Promise<Response> {
  return hub.fetch(PATH, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function openSession(version: string): Promise<string> {
  return (await post(initialize(version))).headers.get('mcp-session-id') ?? '';
}

promise('8.23j', 'over HTTP one array answers a batch, in the order of its requests', async () => {
  const session = await openSession(WITH_BATCHES);
  const answered = await post(BATCH, session);
  expect(answered.headers.get('content-type')).toBe('application/json');
  expect(briefly((await answered.json()) as Answer[])).toEqual(EXPECTED);
  const unanswered = await post([NOTIFICATION, { jsonrpc: '2.0', id: 'nobody asked', result: {} }], session);
  expect([unanswered.status, await unanswered.text()]).toEqual([202, '']);
});

promise('8.23j', 'a batch with something to say before its answers is answered on a stream', async () => {
  const session = await openSession(WITH_BATCHES);
  const slow = call('slow', 'demo_slow', { ms: 20 }, { progressToken: 'p' });
  const text = await (await post([slow, echo('quick', 'hi')], session)).text();
  const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Answer);
  expect(messages.length).toBe(12);
  expect(briefly(messages.slice(-2))).toEqual([
    ['slow', 'waited 20 ms'],
    ['quick', 'hi'],
  ]);
});

promise('8.23j', 'no other revision has batches, and none may be without end', async () => {
  for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
    const refused = await post(BATCH, await openSession(version));
    const { error } = (await refused.json()) as { error: { code: number; message: string } };
    expect([refused.status, error.code]).toEqual([400, -32600]);
    expect(error.message).toContain(version);
  }
  const session = await openSession(WITH_BATCHES);
  const pings = (count: number) => Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  expect((await post(pings(100), session)).status).toBe(200);
  expect((await post(pings(101), session)).status).toBe(400);
  expect((await post([], session)).status).toBe(400);
  expect((await post('[{"broken"', session)).status).toBe(400);
  const [inside] = (await (await post([initialize(WITH_BATCHES)], session)).json()) as [Answer];
  expect(inside.error?.code).toBe(-32600);
  expect((await post(BATCH)).status).toBe(400);
});

promise('8.23j', 'a cancelled request of a batch has no answer in it', async () => {
  const session = await openSession(WITH_BATCHES);
  const answering = post([call('long', 'demo_slow', { ms: 60_000 }), echo('short', 'hi')], session);
  await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } }, session);
  expect(briefly((await (await answering).json()) as Answer[])).toEqual([['short', 'hi']]);
});

promise('8.23j', 'the same over a WebSocket', async () => {
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/codex`, {
    headers: { authorization: `Bearer ${hub.token}` },
  });
  const next = () => new Promise<unknown>(resolve => socket.once('message', data => resolve(JSON.parse(String(data)))));
  await new Promise(resolve => socket.once('open', resolve));
  const say = (message: unknown) => {
    const answer = next();
    socket.send(JSON.stringify(message));
    return answer;
  };
  expect(await say(BATCH)).toMatchObject({ id: null, error: { message: 'Send initialize first' } });
  await say(initialize(WITH_BATCHES));
  expect(briefly((await say(BATCH)) as Answer[])).toEqual(EXPECTED);
  expect(await say([])).toMatchObject({ id: null, error: { code: -32600 } });
  socket.close();
});

promise('8.23j', 'the same over the older transport', async () => {
  const hangUp = new AbortController();
  const stream = await hub.fetch('/sse/codex', { signal: hangUp.signal });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const read = async (wanted: RegExp): Promise<string> => {
    while (!wanted.test(text)) text += Buffer.from((await reader.read()).value ?? []).toString();
    return wanted.exec(text)?.[1] ?? '';
  };
  const address = await read(/^data: (\/sse\/.*)\n\n/m);
  const say = (message: unknown) => hub.fetch(address, { method: 'POST', body: JSON.stringify(message) });
  await say(initialize(WITH_BATCHES));
  await read(/^data: (.*"id":"hello".*)\n\n/m);
  await say(BATCH);
  expect(briefly(JSON.parse(await read(/^data: (\[.*)\n\n/m)))).toEqual(EXPECTED);
  hangUp.abort();
});

promise('8.23j', 'the same through junctor connect, which knows what a batch asked', async () => {
  await using client = await rawConnect(home, { protocolVersion: WITH_BATCHES });
  client.say(BATCH);
  const answers = await client.line(line => Array.isArray(line));
  expect(briefly(answers as unknown as Answer[])).toEqual(EXPECTED);
  await using other = await rawConnect(home);
  other.say(BATCH);
  expect((await other.line(({ error }) => error !== undefined)).error?.code).toBe(-32600);
});
