import { describe, expect, test } from 'vitest';
import { LIST_SCHEMA } from '../../pages/agents/list-schema.ts';
import { judge } from './judge.ts';

describe('what is wrong with a list, by its schema', () => {
  test.each([
    ['a program', { servers: { fs: { type: 'stdio', command: 'x', args: ['a'], env: { A: 'b' } } } }, []],
    ['an address', { servers: { web: { type: 'http', url: 'x', oauth: false } }, meta: { web: { name: 'x' } } }, []],
    ['no servers', {}, [": Missing 'servers'."]],
    ['another key', { servers: {}, more: 1 }, ["more: Unknown key 'more'."]],
    ['a program without one', { servers: { fs: { type: 'stdio' } } }, ["servers.fs: Missing 'command'."]],
    [
      'a program with an address',
      { servers: { fs: { type: 'stdio', command: 'x', url: 'y' } } },
      ["servers.fs.url: Unknown key 'url'."],
    ],
    ['a wrong kind', { servers: { fs: { type: 'stdio', command: 1 } } }, ['servers.fs.command: Expected a text.']],
    [
      'a wrong item',
      { servers: { a: { type: 'stdio', command: 'x', args: [1] } } },
      ['servers.a.args[0]: Expected a text.'],
    ],
    [
      'a wrong word',
      { servers: { a: { type: 'ws', url: 'x', mode: 'all' } } },
      ['servers.a.mode: Expected one of "shared", "per_session", "auto".'],
    ],
    ['a list of servers', { servers: [] }, ['servers: Expected an object.']],
  ])('%s', (_what, value, expected) => {
    expect(judge([LIST_SCHEMA], value).map(({ path, message }) => `${path}: ${message}`)).toEqual(expected);
  });
});
