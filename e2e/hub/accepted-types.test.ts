/** Clients that read documents only get one, whatever there is to say before the answer. */
import { makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import { modernPost } from './modern-rpc.ts';
import { settledBehind } from './settled.ts';

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;
const PATH = '/mcp/codex';
const ONLY_JSON = { accept: 'application/json', 'content-type': 'application/json' };

beforeAll(async () => {
  home = await makeHome();
  hub = await startHub(home, { version: 1, servers: { demo: { ...trusted(testServer()), mode: 'shared' } } });
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const slow = { name: 'demo_slow', arguments: { ms: 50 }, _meta: { progressToken: 'p' } };

function post(message: object, session?: string, more: RequestInit = {}): Promise<Response> {
  return hub.fetch(PATH, {
    method: 'POST',
    headers: { ...ONLY_JSON, ...(session === undefined ? {} : { 'mcp-session-id': session }) },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...more,
  });
}

async function openSession(capabilities = {}): Promise<string> {
  await settledBehind(hub, PATH);
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'documents', version: '1' } };
  const opened = await post({ id: 0, method: 'initialize', params });
  expect(opened.headers.get('content-type')).toBe('application/json');
  return opened.headers.get('mcp-session-id') ?? '';
}

promise('8.23i', 'progress does not turn the answer of a session into a stream', async () => {
  const answer = await post({ id: 1, method: 'tools/call', params: slow }, await openSession());
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ text: 'waited 50 ms' }] } });
});

promise('8.23i', 'a question comes on the stream of the session', async () => {
  const session = await openSession({ elicitation: {} });
  const hangUp = new AbortController();
  const stream = await hub.fetch(PATH, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': session },
    signal: hangUp.signal,
  });
  const answering = post({ id: 2, method: 'tools/call', params: { name: 'demo_ask_person', arguments: {} } }, session);
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  while (!/^data: .*\n\n/m.test(text)) text += Buffer.from((await reader.read()).value ?? []).toString();
  const question = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '');
  expect(question.method).toBe('elicitation/create');
  await post({ id: question.id, result: { action: 'accept', content: { name: 'Ada', colour: 'blue' } } }, session);
  const answer = await answering;
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(JSON.stringify(await answer.json())).toContain('Ada');
  hangUp.abort();
});

promise('8.23i', 'a call that was cancelled ends without a stream', async () => {
  const session = await openSession();
  const params = { name: 'demo_slow', arguments: { ms: 60_000 } };
  const answering = post({ id: 3, method: 'tools/call', params }, session);
  await post({ method: 'notifications/cancelled', params: { requestId: 3 } }, session);
  const answer = await answering;
  expect([answer.status, await answer.text()]).toEqual([202, '']);
});

promise('8.23i', 'the same holds in 2026-07-28, where listening needs a stream', async () => {
  const headers = { accept: 'application/json' };
  const answer = await modernPost(hub, PATH, { method: 'tools/call', params: slow, headers });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await answer.json()).toMatchObject({ result: { content: [{ text: 'waited 50 ms' }] } });
  const listening = { method: 'subscriptions/listen', params: { notifications: {} }, headers };
  expect((await modernPost(hub, PATH, listening)).status).toBe(406);
});
