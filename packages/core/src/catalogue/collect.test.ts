import { expect, test } from 'vitest';
import { collect, type Page } from './collect.ts';
import { PROMPTS, RESOURCES, TOOLS } from './list-kind.ts';

const pages = (...all: Page[]) => {
  let at = 0;
  return async () => all[at++] as Page;
};

test('tools are gathered from all pages and sorted; other lists keep the order of the server', async () => {
  const schema = { inputSchema: { type: 'object' } };
  const tools = pages({ tools: [{ name: 'b', ...schema }], nextCursor: '2' }, { tools: [{ name: 'a', ...schema }] });
  expect((await collect('s', TOOLS, tools)).items.map(({ name }) => name)).toEqual(['a', 'b']);
  const prompts = pages({ prompts: [{ name: 'b' }], nextCursor: '2' }, { prompts: [{ name: 'a' }] });
  expect((await collect('s', PROMPTS, prompts)).items.map(({ name }) => name)).toEqual(['b', 'a']);
});

test('what cannot be used is skipped with a reason, by the field that tells items apart', async () => {
  const list = pages({ resources: [7, { name: 'no uri' }, { uri: 'a' }, { uri: 'a' }, { uri: 'refused' }] });
  const refuse = ({ uri }: { uri: string }) => (uri === 'refused' ? 'it may not be used here' : undefined);
  expect(await collect('s', RESOURCES, list, refuse)).toEqual({
    items: [{ uri: 'a' }],
    skipped: [
      { name: '(unnamed)', because: 'it is not an object' },
      { name: '(unnamed)', because: 'it has no uri' },
      { name: 'a', because: 'another resource of this server has the same uri' },
      { name: 'refused', because: 'it may not be used here' },
    ],
  });
});

test.each([
  ['no list', pages({}), 'answered prompts/list without a list'],
  ['nothing', pages(null as never), 'answered prompts/list without a list'],
  ['the same cursor twice', async () => ({ prompts: [], nextCursor: 'x' }), 'never ends its list of prompts'],
  [
    'ever new cursors',
    (() => {
      let next = 0;
      return async () => ({ prompts: [], nextCursor: String(next++) });
    })(),
    'never ends its list of prompts',
  ],
])('a server that gives %s is told apart', async (_what, fetchPage, message) => {
  await expect(collect('s', PROMPTS, fetchPage)).rejects.toMatchObject({
    code: 'malformed_response',
    message: `Server 's' ${message}.`,
  });
});
