import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../base/json/canonical-json.ts';
import { maskDefinition } from './masking/masking.ts';
import type { McpServerDef } from './schema/server-schema.ts';
import { toolFilter } from './tool-filter.ts';
import { fingerprint } from './trust/fingerprint.ts';

describe('tool lists', () => {
  promise(['1.10a', '1.10b', '1.10c', '1.10e', '1.10f'], 'include and exclude by globs; excluded wins', () => {
    const tools = ['read_file', 'read_dir', 'write_file'];
    const left = (lists?: McpServerDef['tools']) => tools.filter(toolFilter({ ...(lists ? { tools: lists } : {}) }));
    expect(left()).toEqual(tools);
    expect(left({ allow: ['read_*'] })).toEqual(['read_file', 'read_dir']);
    expect(left({ deny: ['*_file'] })).toEqual(['read_dir']);
    expect(left({ allow: ['read_*'], deny: ['read_dir'] })).toEqual(['read_file']);
    expect(left({ allow: [] })).toEqual([]);
  });
});

describe('a fingerprint', () => {
  promise('1.13d', 'is the same for the same definition, and another for any other', () => {
    const one: McpServerDef = { transport: 'stdio', command: 'x', args: ['a', 'b'], env: { A: '1', B: '2' } };
    const same: McpServerDef = { env: { B: '2', A: '1' }, args: ['a', 'b'], command: 'x', transport: 'stdio' };
    const shown: McpServerDef = { ...one, enabled: false, meta: { name: 'shown' } };
    expect(new Set([one, same, shown].map(definition => fingerprint('id', definition))).size).toBe(1);
    const others: McpServerDef[] = [
      { ...one, args: ['b', 'a'] },
      { ...one, env: { A: '1' } },
      { ...one, trust: 'trusted' },
      { ...one, cwd: '/' },
    ];
    const prints = [
      ...others.map(definition => fingerprint('id', definition)),
      fingerprint('other', one),
      fingerprint('id', one),
    ];
    expect(new Set(prints).size).toBe(6);
    expect(canonicalJson({ b: [1, { d: null, c: undefined }], a: 'é' })).toBe('{"a":"é","b":[1,{"d":null}]}');
  });
});

test('a definition is shown without its secrets, but with its references', () => {
  const definition: McpServerDef = {
    transport: 'http',
    url: 'https://me:pass@example.com/mcp?api_key=abc&x=1',
    headers: { Authorization: 'Bearer sk-123456', 'X-Api-Key': '${secret:github}', 'X-Plain': 'shown' },
    oauth: { client_id: 'shown', client_secret: 'hidden-one' },
    command: 'serve',
    args: ['--token', 'abc', '--api-key=def', '--port', '1', '--token'],
    env: { GITHUB_TOKEN: '${GITHUB_TOKEN}', DB_PASSWORD: 'pw', NODE_ENV: 'production' },
  };
  expect(maskDefinition(definition)).toEqual({
    ...definition,
    url: 'https://me:•••@example.com/mcp?api_key=•••&x=1',
    headers: { Authorization: 'Bearer •••', 'X-Api-Key': '${secret:github}', 'X-Plain': 'shown' },
    oauth: { client_id: 'shown', client_secret: '•••' },
    args: ['--token', '•••', '--api-key=•••', '--port', '1', '--token'],
    env: { GITHUB_TOKEN: '${GITHUB_TOKEN}', DB_PASSWORD: '•••', NODE_ENV: 'production' },
  });
});
