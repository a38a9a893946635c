/** The streams of a session of the older era: what comes on them, and how they are taken up again where they broke. */
import { makeHome, misbehaving, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RawClient } from './rpc.ts';

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;
const PATH = '/mcp/codex';

beforeAll(async () => {
  home = await makeHome();
  const servers = {
    demo: { ...trusted(testServer()), mode: 'shared' },
    holds: { ...trusted(misbehaving('holds')), mode: 'shared' },
  };
  hub = await startHub(home, { version: 1, servers });
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

interface Event {
  readonly id: string;
  readonly message: { readonly method?: string; readonly params?: Record<string, unknown>; readonly result?: object };
}

/** Reads a stream until it has seen enough, then hangs up. */
async function readEvents(client: RawClient, enough: number, after?: string): Promise<Event[]> {
  const hangUp = new AbortController();
  const response = await hub.fetch(PATH, {
    headers: {
      accept: 'text/event-stream',
      'mcp-session-id': client.session,
      ...(after === undefined ? {} : { 'last-event-id': after }),
    },
    signal: hangUp.signal,
  });
  expect(response.status).toBe(200);
  return eventsOf(response, enough, hangUp);
}

async function eventsOf(response: Response, enough: number, hangUp: AbortController): Promise<Event[]> {
  const events: Event[] = [];
  let text = '';
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  while (events.length < enough) {
    const { value, done } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString('utf8');
    events.length = 0;
    for (const [, id = '', data = ''] of text.matchAll(/^id: (.*)\nevent: message\ndata: (.*)\n\n/gm))
      events.push({ id, message: JSON.parse(data) });
  }
  hangUp.abort();
  // More may have come with the last of them; it comes again to who asks for what followed that one.
  return events.slice(0, enough);
}

describe('the stream of a session', () => {
  test('brings news, and after a break what was missed, in order and once', async () => {
    const client = await RawClient.open(hub, PATH);
    await client.messages({ id: 'list', method: 'prompts/list' });
    const changes = (number: number) => client.call(`add-${number}`, 'demo_add_prompt', { name: `news-${number}` });
    const reading = readEvents(client, 1);
    await changes(1);
    const [first] = await reading;
    expect(first?.message.method).toBe('notifications/prompts/list_changed');
    // Nobody listens now; the list is read again each time, so that each change is news.
    for (const number of [2, 3]) {
      await client.messages({ id: `list-${number}`, method: 'prompts/list' });
      await changes(number);
    }
    const missed = await readEvents(client, 2, first?.id);
    expect(missed.map(({ message }) => message.method)).toEqual(Array(2).fill('notifications/prompts/list_changed'));
    expect(missed.map(({ id }) => id)).toEqual(['news_2', 'news_3']);
    // Who names an earlier event gets the same again; who names none, only what nobody got.
    expect((await readEvents(client, 2, first?.id)).map(({ id }) => id)).toEqual(['news_2', 'news_3']);
  });

  test('keeps only so much for a client that is away', async () => {
    const client = await RawClient.open(hub, PATH);
    await client.post({ id: 'sub', method: 'resources/subscribe', params: { uri: 'junctor://demo/demo://note' } });
    const updates = 300;
    for (let number = 0; number < updates; number++)
      await client.call(number, 'demo_update_resource', { text: String(number) });
    const kept = await readEvents(client, 256, 'news_0');
    expect(kept).toHaveLength(256);
    expect(kept.at(-1)?.id).toBe(`news_${updates}`);
    expect(kept[0]?.message.params).toEqual({ uri: 'junctor://demo/demo://note' });
  });

  test('is for its own session, and for whoever opened that', async () => {
    const get = (session: string, headers: object = { accept: 'text/event-stream' }) =>
      hub.fetch(PATH, { headers: { 'mcp-session-id': session, ...headers } });
    const client = await RawClient.open(hub, PATH);
    expect((await get('nobody')).status).toBe(404);
    expect((await get(client.session, { accept: 'application/json' })).status).toBe(406);
  });
});

describe('the answer to a call that was a stream', () => {
  test('is fetched later, where the connection broke in the middle of it', async () => {
    const client = await RawClient.open(hub, PATH);
    const hangUp = new AbortController();
    const response = await client.post(
      {
        id: 9,
        method: 'tools/call',
        params: { name: 'demo_slow', arguments: { ms: 400 }, _meta: { progressToken: 'p' } },
      },
      hangUp.signal,
    );
    const seen = await eventsOf(response, 2, hangUp);
    expect(seen.map(({ message }) => message.params?.progress)).toEqual([1, 2]);
    const rest = await readEvents(client, 9, seen.at(-1)?.id);
    expect(rest.slice(0, -1).map(({ message }) => message.params?.progress)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(rest.at(-1)?.message).toEqual({
      jsonrpc: '2.0',
      id: 9,
      result: { content: [{ type: 'text', text: 'waited 400 ms' }] },
    });
  });
});

describe('the stream of a call that runs', () => {
  /** Calls `hold`, and hangs up once its progress came. Returns the id of that event. */
  async function heldCall(client: RawClient, id: unknown, args: object = {}): Promise<string> {
    const hangUp = new AbortController();
    const params = { name: 'holds_hold', arguments: args, _meta: { progressToken: `of ${id}` } };
    const [event] = await eventsOf(await client.post({ id, method: 'tools/call', params }, hangUp.signal), 1, hangUp);
    return event?.id ?? '';
  }
  const release = (client: RawClient) => client.call('release', 'holds_release', {});

  promise('8.23g', 'is kept, however many others came and went since', async () => {
    const client = await RawClient.open(hub, PATH);
    const last = await heldCall(client, 'long');
    for (let number = 0; number < 20; number++)
      expect(await client.call(number, 'demo_slow', { ms: 1 }, { progressToken: number })).toHaveLength(11);
    await release(client);
    const [rest] = await readEvents(client, 1, last);
    expect(rest?.message).toMatchObject({ id: 'long', result: { content: [{ text: 'xxxx' }] } });
  });

  promise('8.23g', 'ends with an error in the place of an answer that is too large to be kept', async () => {
    const client = await RawClient.open(hub, PATH);
    const small = await heldCall(client, 'small', { bytes: 900 * 1024 });
    const large = await heldCall(client, 'large', { bytes: 1100 * 1024 });
    await release(client);
    expect((await readEvents(client, 1, small))[0]?.message).toMatchObject({ id: 'small', result: {} });
    expect((await readEvents(client, 1, large))[0]?.message).toMatchObject({
      id: 'large',
      error: {
        code: -32000,
        message: expect.stringMatching(/^The request was answered, but .* too large to be kept .*safe to repeat\.$/),
        data: { code: 'message_too_large', outcome: 'done' },
      },
    });
  });

  promise('8.23g', 'is refused where it is not known: the notification stream stays with its reader', async () => {
    const client = await RawClient.open(hub, PATH);
    await client.messages({ id: 'list', method: 'prompts/list' });
    const reading = readEvents(client, 1);
    for (const unknown of ['answer-1_1', 'nonsense', 'answer_'])
      expect(
        (
          await hub.fetch(PATH, {
            headers: { accept: 'text/event-stream', 'mcp-session-id': client.session, 'last-event-id': unknown },
          })
        ).status,
      ).toBe(400);
    await client.call('add', 'demo_add_prompt', { name: 'still-read' });
    expect((await reading)[0]?.message.method).toBe('notifications/prompts/list_changed');
  });
});

describe('log lines', () => {
  test('come from the level a session asked for, on the stream of the call they belong to', async () => {
    const client = await RawClient.open(hub, PATH);
    const level = (name: string) => client.messages({ id: name, method: 'logging/setLevel', params: { level: name } });
    const log = async (id: number, at: string) =>
      (await client.call(id, 'demo_log', { level: at, message: `at ${at}` })).map(({ params, result }) =>
        result ? 'result' : (params as { data: unknown }).data,
      );
    expect((await level('warning'))[0]?.result).toEqual({});
    expect(await log(1, 'info')).toEqual(['result']);
    expect(await log(2, 'error')).toEqual(['at error', 'result']);
    await level('debug');
    expect(await log(3, 'debug')).toEqual(['at debug', 'result']);
    expect((await level('loud'))[0]?.error).toMatchObject({ code: -32602 });
  });
});
