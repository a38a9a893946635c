/** One odd field in one definition of one server: official clients still get the lists of all servers of an agent. */
import { makeHome, misbehaving, promise, type RunningHub, startHub, trusted } from '@junctor/testkit';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { settled } from './settled.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A field that does not fit, and what is left of it where something is. */
type Row = readonly [odd: Fields, left?: Fields];

const common: readonly Row[] = [
  ...[null, 7, 'x', []].map((_meta): Row => [{ _meta }]),
  ...[null, 'x', {}].map((icons): Row => [{ icons }]),
  [{ icons: [null, {}, { src: 7 }] }, { icons: [] }],
  [{ icons: [{ src: 'a:b', mimeType: null, sizes: '48x48', theme: 'grey' }] }, { icons: [{ src: 'a:b' }] }],
  [{ icons: [{ src: 'a:b', sizes: [48, '48x48'] }] }, { icons: [{ src: 'a:b', sizes: ['48x48'] }] }],
  ...[null, 7, {}].map((title): Row => [{ title }]),
  ...[null, 7, []].map((description): Row => [{ description }]),
  ...[null, 'x', []].map((annotations): Row => [{ annotations }]),
];

const output = (schema: object): Row => [{ outputSchema: { type: 'object', ...schema } }];

const tools: readonly Row[] = [
  ...common,
  [{ annotations: { title: null, readOnlyHint: true } }, { annotations: { readOnlyHint: true } }],
  ...[null, 'yes', 1].map(
    (odd): Row => [
      { annotations: { readOnlyHint: odd, destructiveHint: odd, idempotentHint: odd, openWorldHint: odd } },
      { annotations: {} },
    ],
  ),
  ...[null, 'x', []].map((execution): Row => [{ execution }]),
  [{ execution: { taskSupport: 'maybe' } }],
  ...[null, 'x', [], { type: 'array' }].map((outputSchema): Row => [{ outputSchema }]),
  output({ properties: { a: { $ref: '#/$defs/none' } } }),
  output({ properties: { a: { $ref: 'https://example.invalid/schema.json' } } }),
  output({ properties: { a: { $ref: '#none' } } }),
  output({ properties: { a: { $ref: '#/%' } } }),
  output({ properties: { a: { type: 'string', pattern: '[' } } }),
  output({ patternProperties: { '(': {} } }),
  output({ properties: { a: { type: 'text' } } }),
  output({ properties: { a: { enum: [] } } }),
  output({ properties: { a: { nullable: true } } }),
  output({ properties: { a: { type: 'number', minimum: 0, exclusiveMinimum: true } } }),
  output({ properties: { a: { id: 'http://example.invalid/a' } } }),
  output({ properties: { a: { $id: 'x' }, b: { $id: 'x', type: 'string' } } }),
  output({ properties: { a: { uniqueItems: 'yes' } } }),
  output({ properties: { a: { dependencies: 7 } } }),
  [{ outputSchema: { type: 'object', properties: { a: true } } }, { outputSchema: { properties: { a: {} } } }],
  output({ required: 'a' }),
  output({ properties: [] }),
  [{ inputSchema: null }, { inputSchema: { type: 'object' } }],
  [{ inputSchema: { type: 'object', properties: { a: true } } }, { inputSchema: { type: 'object' } }],
  [{ inputSchema: { type: 'object', properties: { a: null } } }, { inputSchema: { type: 'object' } }],
  [{ inputSchema: { properties: { a: { type: 'string' } }, required: null } }, { inputSchema: { type: 'object' } }],
];

const templates: readonly Row[] = [
  ...common,
  ...[null, 7].map((mimeType): Row => [{ mimeType }]),
  ...[5, -1, null, '1'].map((priority): Row => [{ annotations: { priority } }, { annotations: {} }]),
  ...['yesterday', null, '2025-02-30T00:00:00Z', '2025-01-01'].map(
    (lastModified): Row => [{ annotations: { lastModified } }, { annotations: {} }],
  ),
  [{ annotations: { audience: ['user', 'robot', null] } }, { annotations: { audience: ['user'] } }],
  [{ annotations: { audience: 'user', priority: 1 } }, { annotations: { priority: 1 } }],
];

const resources: readonly Row[] = [...templates, ...[null, '7', {}].map((size): Row => [{ size }])];

const prompts: readonly Row[] = [
  ...common,
  ...[null, {}, 'x'].map((args): Row => [{ arguments: args }]),
  [{ arguments: [null, {}, { name: 7 }, { name: 'a' }] }, { arguments: [{ name: 'a' }] }],
  [{ arguments: [{ name: 'a', required: 'yes', description: null, title: 7 }] }, { arguments: [{ name: 'a' }] }],
];

const numbered = (rows: readonly Row[], identity: (number: number) => object): object[] =>
  rows.map(([odd], number) => ({ ...identity(number), ...odd }));
const schema = { inputSchema: { type: 'object' } };
const BAD = [null, 'x', 7, {}, { name: null }, { name: 7, uri: null, uriTemplate: 7 }];

const LISTS = {
  'tools/list': { items: [...numbered(tools, at => ({ name: `odd${at}`, ...schema })), ...BAD] },
  'resources/list': {
    items: [...numbered(resources, at => ({ uri: `demo://${at}`, name: 'n' })), ...BAD, { uri: 'demo://x', name: 7 }],
  },
  'resources/templates/list': {
    items: [...numbered(templates, at => ({ uriTemplate: `demo://{x}/${at}`, name: 'n' })), ...BAD],
  },
  'prompts/list': { items: [...numbered(prompts, at => ({ name: `odd${at}` })), ...BAD] },
};

const FINE = {
  'tools/list': {
    items: [
      {
        name: 'fine',
        title: 'Fine',
        ...schema,
        outputSchema: { type: 'object', properties: { n: { $ref: '#/$defs/N' } }, $defs: { N: { type: 'number' } } },
        annotations: { readOnlyHint: true },
        execution: { taskSupport: 'forbidden' },
        icons: [{ src: 'data:,', sizes: ['any'], theme: 'dark' }],
        _meta: { 'example.com/a': null },
      },
    ],
  },
  'resources/list': {
    items: [
      {
        uri: 'fine://1',
        name: 'fine',
        mimeType: 'text/plain',
        size: 3,
        annotations: { audience: ['user'], priority: 0.5, lastModified: '2025-01-12T15:00:58.123+02:00' },
      },
    ],
  },
  'prompts/list': { items: [{ name: 'fine', arguments: [{ name: 'a', required: true, title: 'A' }] }] },
};

interface Lister {
  listTools(): Promise<{ tools: Fields[] }>;
  listResources(): Promise<{ resources: Fields[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: Fields[] }>;
  listPrompts(): Promise<{ prompts: Fields[] }>;
  close(): Promise<void>;
}

const CLIENTS: Readonly<Record<string, (url: URL, init: RequestInit) => Promise<unknown>>> = {
  'sdk 1.x': async (url, requestInit) => {
    const client = new ClientV1({ name: 'claude-code', version: '1' });
    await client.connect(new TransportV1(url, { requestInit }) as never);
    return client;
  },
  'client 2.x, legacy': async (url, requestInit) => {
    const client = new ClientV2({ name: 'two', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new TransportV2(url, { requestInit }));
    return client;
  },
  'client 2.x, modern': async (url, requestInit) => {
    const client = new ClientV2({ name: 'two', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new TransportV2(url, { requestInit }));
    return client;
  },
};

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;

beforeAll(async () => {
  home = await makeHome();
  const odd = await home.write('odd.json', LISTS);
  const fine = await home.write('fine.json', FINE);
  hub = await startHub(home, {
    version: 1,
    servers: {
      odd: { ...trusted(misbehaving('chosen-lists', odd)), mode: 'shared' },
      fine: { ...trusted(misbehaving('chosen-lists', fine)), mode: 'shared' },
    },
  });
  await settled(hub);
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

describe.each(Object.entries(CLIENTS))('%s', (_name, connect) => {
  async function withClient<T>(use: (client: Lister) => Promise<T>): Promise<T> {
    const init = { headers: { authorization: `Bearer ${hub.token}` } };
    const client = (await connect(new URL(`${hub.url}/mcp/claude-code`), init)) as Lister;
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }

  /** Each odd entry is there without the field that did not fit, or with what is left of it. */
  function expectRepaired(rows: readonly Row[], entries: readonly Fields[]): void {
    expect(entries).toHaveLength(rows.length);
    for (const [at, [odd, left = {}]] of rows.entries()) {
      const entry = entries[at] as Fields;
      for (const field of Object.keys(odd)) {
        // The client of 2026-07-28 knows no such field, and leaves it out by itself.
        if (field === 'execution') expect([odd, entry[field] ?? {}]).toEqual([odd, {}]);
        else if (field in left)
          expect([odd, entry[field]]).toEqual([odd, expect.objectContaining(left[field] as object)]);
        // Every tool is described by where it is from.
        else if (field === 'description') expect([odd, typeof (entry[field] ?? '')]).toEqual([odd, 'string']);
        else expect([odd, entry[field]]).toEqual([odd, undefined]);
      }
    }
  }

  const byNumber = (key: string) => (a: Fields, b: Fields) => numberIn(a[key]) - numberIn(b[key]);
  const numberIn = (text: unknown) => Number(/(\d+)$/.exec(String(text))?.[1]);

  promise('2.9k', 'lists the tools of all servers, odd fields left out', async () => {
    const { tools: listed } = await withClient(client => client.listTools());
    const named = (prefix: string) => listed.filter(({ name }) => String(name).startsWith(prefix));
    expectRepaired(tools, named('odd_odd').sort(byNumber('name')));
    expect(named('fine_fine')).toMatchObject(
      FINE['tools/list'].items.map(({ name: _, execution: __, ...item }) => item),
    );
  });

  promise('2.9k', 'lists resources, templates and prompts of all servers, odd fields left out', async () => {
    const [found, patterns, asked] = await withClient(async client => [
      (await client.listResources()).resources,
      (await client.listResourceTemplates()).resourceTemplates,
      (await client.listPrompts()).prompts,
    ]);
    const odd = found.filter(({ uri }) => /demo:\/\/\d+$/.test(String(uri)));
    expectRepaired(resources, odd.sort(byNumber('uri')));
    expect(found.find(({ uri }) => String(uri).endsWith('demo://x'))).toMatchObject({ name: 'demo://x' });
    expect(found.filter(({ uri }) => String(uri).endsWith('fine://1'))).toMatchObject(
      FINE['resources/list'].items.map(({ uri: _, ...item }) => item),
    );
    expectRepaired(templates, patterns.sort(byNumber('uriTemplate')));
    expectRepaired(prompts, asked.filter(({ name }) => String(name).startsWith('odd_odd')).sort(byNumber('name')));
    expect(asked.filter(({ name }) => name === 'fine_fine')).toMatchObject([
      { arguments: [{ name: 'a', required: true }] },
    ]);
  });
});
