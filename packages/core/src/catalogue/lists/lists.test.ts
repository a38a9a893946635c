import { describe, expect, test } from 'vitest';
import type { ListKind } from './list-kind.ts';
import { PROMPTS, RESOURCE_TEMPLATES, RESOURCES, TOOLS } from './list-kind.ts';
import { type Collected, type ListSource, type PageOptions, readList } from './lists.ts';

type Page = Readonly<Record<string, unknown>>;

/** A connection that answers with these pages, each of so many bytes. */
function source(answer: (page: number, options: PageOptions) => Page): ListSource {
  let at = 0;
  return {
    server: { id: 's' },
    greeting: { capabilities: { tools: {}, resources: {}, prompts: {} } },
    request: async (_method, _params, options) => answer(at++, options),
  };
}

const pages = (...all: Page[]): ListSource => source(at => all[at] as Page);

const read = <Item>(
  from: ListSource,
  kind: ListKind<Item>,
  refuse?: (item: Item) => string | undefined,
): Promise<Collected<Item>> => readList(from, kind, refuse);

test('tools are gathered from all pages and sorted; other lists keep the order of the server', async () => {
  const schema = { inputSchema: { type: 'object' } };
  const tools = pages({ tools: [{ name: 'b', ...schema }], nextCursor: '2' }, { tools: [{ name: 'a', ...schema }] });
  expect((await read(tools, TOOLS)).items.map(({ name }) => name)).toEqual(['a', 'b']);
  const prompts = pages({ prompts: [{ name: 'b' }], nextCursor: '2' }, { prompts: [{ name: 'a' }], nextCursor: '' });
  expect(await read(prompts, PROMPTS)).toEqual({ items: [{ name: 'b' }, { name: 'a' }], skipped: [], pages: 2 });
});

test('what cannot be used is skipped with a reason, by the field that tells items apart', async () => {
  const list = pages({ resources: [7, { name: 'no uri' }, { uri: 'a' }, { uri: 'a' }, { uri: 'refused' }] });
  const refuse = ({ uri }: { uri: string }) => (uri === 'refused' ? 'it may not be used here' : undefined);
  expect(await read(list, RESOURCES, refuse)).toEqual({
    items: [{ uri: 'a', name: 'a' }],
    skipped: [
      { name: '(unnamed)', because: 'it is not an object' },
      { name: '(unnamed)', because: 'it has no uri' },
      { name: 'a', because: 'another resource of this server has the same uri' },
      { name: 'refused', because: 'it may not be used here' },
    ],
    pages: 1,
  });
});

test('a good item is the same object; of another the fields that do not fit are left out, and named', async () => {
  const good = { uriTemplate: 'a:{b}', name: 'a', _meta: {}, annotations: { priority: 1 }, icons: [{ src: 'a:b' }] };
  const odd = { uriTemplate: 'b:{c}', name: 'b', _meta: null, annotations: { priority: 7 }, 'example.com/x': null };
  const found = await read(pages({ resourceTemplates: [good, odd] }), RESOURCE_TEMPLATES);
  expect(found.items[0]).toBe(good);
  expect(found.items[1]).toEqual({ uriTemplate: 'b:{c}', name: 'b', annotations: {}, 'example.com/x': null });
  expect(found.repaired).toEqual([{ name: 'b:{c}', because: 'not as the protocol wants it: _meta, annotations' }]);
});

test('a server without the capability, or without an optional method, has an empty list', async () => {
  const none = { ...pages(), greeting: { capabilities: {} } };
  expect(await read(none, TOOLS)).toEqual({ items: [], skipped: [], pages: 0 });
});

describe('a list is bounded', () => {
  const MIB = 1024 * 1024;

  test('in items, good or bad', async () => {
    const items = Array.from({ length: 10_050 }, (_, at) => ({ name: `p${at}` }));
    const { items: kept, skipped } = await read(pages({ prompts: items, nextCursor: '2' }), PROMPTS);
    expect([kept.length, skipped]).toEqual([
      10_000,
      [{ name: '(the rest)', because: 'the list has more than 10000 prompts' }],
    ]);
    const bad = await read(pages({ prompts: Array(10_050).fill(null) }), PROMPTS);
    expect([bad.items.length, bad.skipped.length]).toEqual([0, 102]);
    expect(bad.skipped.at(-1)).toEqual({ name: '(9900 more)', because: '100 are named here' });
  });

  test('in bytes: no page may be larger than what is left', async () => {
    const bounds: number[] = [];
    const growing = source((at, { maxBytes, onSize }) => {
      bounds.push(maxBytes / MIB);
      onSize(10 * MIB);
      return { prompts: [{ name: `p${at}` }], nextCursor: String(at) };
    });
    const { items, skipped } = await read(growing, PROMPTS);
    expect(bounds).toEqual([16, 16, 12, 2]);
    expect([items.length, skipped]).toEqual([
      4,
      [{ name: '(the rest)', because: 'the list is larger than 32 MiB, or a page of it than 16' }],
    ]);
  });
});

test.each([
  ['no list', pages({}), 'answered prompts/list without a list'],
  ['nothing', pages(null as never), 'answered prompts/list without a list'],
  ['the same cursor twice', source(() => ({ prompts: [], nextCursor: 'x' })), 'never ends its list of prompts'],
  ['ever new cursors', source(at => ({ prompts: [], nextCursor: String(at) })), 'never ends its list of prompts'],
])('a server that gives %s is told apart', async (_what, from, message) => {
  await expect(read(from, PROMPTS)).rejects.toMatchObject({
    code: 'malformed_response',
    message: `Server 's' ${message}.`,
  });
});
