/** A server with an instance for each session: what one instance lists badly, late or often costs nobody anything else. */
import { makeHome, misbehaving, promise, type RunningHub, startHub, trusted } from '@junctor/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modernPost } from './modern-rpc.ts';
import { RawClient } from './rpc.ts';

const PATH = '/mcp/claude-code';
const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'] as const;
const KEYS = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;
const IDENTITIES = ['name', 'uri', 'uriTemplate', 'name'] as const;

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const schema = { inputSchema: { type: 'object' } };
/** The same entry for every list. */
const entry = (name: string) => ({ name, ...schema, uri: `demo://${name}`, uriTemplate: `demo://${name}/{x}` });
const everywhere = (answer: object) => Object.fromEntries(LISTS.map(method => [method, answer]));

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;

beforeAll(async () => {
  home = await makeHome();
  const file = await home.write('host.json', everywhere({ items: [entry('host')] }));
  hub = await startHub(home, {
    version: 1,
    search: { enabled: false },
    servers: {
      own: { ...trusted(misbehaving('chosen-lists', file)), mode: 'per_session' },
      other: { ...trusted(misbehaving('chosen-lists')), mode: 'shared' },
    },
  });
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

/** A session with an instance that is not the one the host lists tools of. */
async function secondSession(path = PATH): Promise<RawClient> {
  const first = await RawClient.open(hub, PATH);
  await first.call('first', 'own_echo', {});
  return RawClient.open(hub, path);
}

const change = (client: RawClient, answers: object, times = 1) =>
  client.call('change', 'own_change', { answers, times });

/** What the session is shown of server `own`, but for the tools that every instance has. */
async function shown(client: RawClient): Promise<Record<string, string[]>> {
  const lists = LISTS.map(async (method, at) => {
    const [answer] = await client.messages({ id: method, method });
    expect(answer?.error).toBeUndefined();
    const listed = (answer?.result ?? {}) as Record<string, Record<string, string>[]>;
    const names = (listed[KEYS[at] as string] ?? []).map(item => String(item[IDENTITIES[at] as string]));
    return [KEYS[at], names.filter(name => !/^other_|_(?:echo|change|touch)$/.test(name))];
  });
  return Object.fromEntries(await Promise.all(lists));
}

const named = (...names: string[]) => ({
  tools: names.map(name => `own_${name}`),
  resources: names.map(name => `junctor://own/demo://${name}`),
  resourceTemplates: names.map(name => `junctor://own/demo://${name}/{x}`),
  prompts: names.map(name => `own_${name}`),
});

const numbers = Array.from({ length: 150 }, (_, number) => number);

describe('an instance of a session that lists', () => {
  const BAD = [null, 'text', 7, {}, { ...schema, description: 'no name' }, { name: 7, uri: null, uriTemplate: 7 }];
  const rows: [string, object, Record<string, string[]>][] = [
    ['bad entries among good ones', { items: [...BAD, entry('good'), ...BAD] }, named('good')],
    ['an empty cursor', { items: [entry('good')], cursor: '' }, named('good')],
    ['nothing but an error', { error: { code: -32603, message: 'broken' } }, named('host')],
    ['the same cursor for ever', { items: [entry('good')], cursor: '1' }, named('host')],
  ];

  for (const [what, answer, expected] of rows)
    promise('2.9m', `${what} is shown what is good of it; calls and lists of other servers go on`, async () => {
      const client = await secondSession();
      await change(client, everywhere(answer));
      const [called] = await client.call(1, 'other_echo', {});
      expect(called?.result).toEqual({ content: [{ type: 'text', text: 'echo' }] });
      expect(await shown(client)).toEqual(expected);
      const [own] = await client.call(2, 'own_echo', {});
      expect(own?.result).toEqual({ content: [{ type: 'text', text: 'echo' }] });
    });

  test('150 pages is shown all of them', async () => {
    const client = await secondSession();
    await change(client, {
      'tools/list': { items: [tool('t')], pages: 150 },
      'prompts/list': { items: [{ name: 'p' }], pages: 150 },
    });
    const { tools, prompts } = await shown(client);
    expect(tools).toEqual(numbers.map(number => `own_t_${number}`).sort());
    expect(prompts).toEqual(numbers.map(number => `own_p_${number}`).sort());
  });

  promise('2.9m', 'nothing any more keeps what it listed last', async () => {
    const client = await secondSession();
    await change(client, everywhere({ items: [entry('good')] }));
    expect(await shown(client)).toEqual(named('good'));
    await change(client, everywhere({ error: { code: -32603, message: 'broken' } }));
    expect(await shown(client)).toEqual(named('good'));
    const [called] = await client.call(1, 'own_good', {});
    expect(called?.result).toEqual({ content: [{ type: 'text', text: 'good' }] });
  });

  promise(
    '2.9m',
    'without an end is not waited for by calls of other servers, and the list of the host stands in',
    async () => {
      const client = await secondSession();
      await client.messages({ id: 'list', method: 'tools/list' });
      await change(client, everywhere({ silent: true }));
      const order: string[] = [];
      const listing = shown(client).then(lists => order.push('listed') && lists);
      await client.call(1, 'other_echo', {}).then(() => order.push('called'));
      expect(await listing).toEqual(named('host'));
      expect(order).toEqual(['called', 'listed']);
    },
  );
});

/** Every message that comes on the stream of a session. */
async function stream(client: RawClient) {
  const hangUp = new AbortController();
  const headers = { accept: 'text/event-stream', 'mcp-session-id': client.session };
  const response = await hub.fetch(PATH, { headers, signal: hangUp.signal });
  return { ...collecting(response), [Symbol.dispose]: () => hangUp.abort() };
}

function collecting(response: Response) {
  let text = '';
  const reading = async () => {
    const chunks = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream());
    for await (const chunk of chunks) text += chunk;
  };
  reading().catch(() => {});
  const messages = () =>
    [...text.matchAll(/^data: (\{.*)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as { method?: string; params?: object },
    );
  return { of: (method: string) => messages().filter(message => message.method === method) };
}

test('3,000 changes of a list of an instance are one notification until the list is read', async () => {
  const client = await secondSession();
  await client.call(1, 'own_echo', {});
  using heard = await stream(client);
  const count = () =>
    ['tools', 'resources', 'prompts'].map(list => heard.of(`notifications/${list}/list_changed`).length);
  await change(client, everywhere({ items: [entry('one')] }), 3000);
  await expect.poll(count).toEqual([1, 1, 1]);
  expect(await shown(client)).toEqual(named('one'));
  await change(client, everywhere({ items: [entry('two')] }));
  await expect.poll(count).toEqual([2, 2, 2]);
  expect(await shown(client)).toEqual(named('two'));
});

describe('notifications/resources/updated', () => {
  const params = { uri: 'demo://host', title: 'Host', _meta: { 'example.com/why': 'touched' } };
  const outward = { ...params, uri: 'junctor://own/demo://host' };
  const updated = 'notifications/resources/updated';

  test('reaches a session with all that the server says', async () => {
    const client = await secondSession();
    using heard = await stream(client);
    await client.messages({ id: 's', method: 'resources/subscribe', params: { uri: outward.uri } });
    await client.call(1, 'own_touch', params);
    await expect.poll(() => heard.of(updated)).toEqual([{ jsonrpc: '2.0', method: updated, params: outward }]);
  });

  test('reaches a listener of 2026-07-28 with all that the server says, and the id of its stream', async () => {
    const wanted = { resourceSubscriptions: ['junctor://other/demo://host', 7] };
    const response = await modernPost(hub, PATH, { method: 'subscriptions/listen', params: { notifications: wanted } });
    const heard = collecting(response);
    await expect.poll(() => heard.of('notifications/subscriptions/acknowledged')).toHaveLength(1);
    const client = await RawClient.open(hub, PATH);
    await client.call(1, 'other_touch', params);
    const _meta = { ...params._meta, 'io.modelcontextprotocol/subscriptionId': 1 };
    const about = { ...params, uri: 'junctor://other/demo://host', _meta };
    await expect.poll(() => heard.of(updated)).toEqual([{ jsonrpc: '2.0', method: updated, params: about }]);
    await response.body?.cancel().catch(() => {});
  });
});

describe.each([PATH, '/servers/other/mcp'])('a subscription at %s', path => {
  test.each([
    ['resources/subscribe', {}],
    ['resources/subscribe', { uri: 7 }],
    ['resources/unsubscribe', {}],
    ['resources/unsubscribe', { uri: null }],
  ])('%s %j names no resource, and is refused', async (method, params) => {
    const client = await RawClient.open(hub, path);
    const [answer] = await client.messages({ id: 1, method, params });
    expect(answer?.error).toMatchObject({ code: -32602 });
  });
});
