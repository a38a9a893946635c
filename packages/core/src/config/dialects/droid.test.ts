import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { McpServerDef } from '../schema/server-schema.ts';
import { droid } from './droid.ts';

const read = (value: unknown) => droid.read(value, { file: '/home/me/.factory/mcp.json', home: '/home/me' });
const write = (value: unknown, id: string, definition: McpServerDef) => droid.write?.(value, [{ id, definition }]);
const sample = JSON.parse(readFileSync(join(import.meta.dirname, 'samples', 'droid', 'mcp.json'), 'utf8'));

promise('1.4o', 'a Droid file loads as it stands', () => {
  const { servers, problems } = read(sample);
  expect(problems).toEqual([]);
  expect(Object.fromEntries(servers.map(({ id, definition }) => [id, definition]))).toEqual({
    hub: {
      transport: 'http',
      url: 'https://hub.example.com/mcp',
      headers: { Authorization: 'Bearer ${HUB_TOKEN}' },
      enabled: true,
    },
    loc: {
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'pkg'],
      env: { K: '${K:-dflt}' },
      enabled: false,
      tools: { deny: ['write'] },
    },
    old: { transport: 'sse', url: 'https://old.example.com/sse' },
  });
});

test('a Droid file is told of a url without a type', () => {
  const { servers, problems } = read({ mcpServers: { a: { url: 'https://a.example.com' }, b: { command: 'b' } } });
  expect(problems).toEqual([
    {
      server: 'a',
      path: ['mcpServers', 'a', 'type'],
      message: "Server 'a' has a url and no 'type', so Droid takes it for a program to start.",
      fix: 'Add "type": "http", or "type": "sse".',
    },
  ]);
  expect(servers.map(({ definition }) => definition)).toEqual([
    { transport: 'http', url: 'https://a.example.com' },
    { transport: 'stdio', command: 'b' },
  ]);
});

describe('writing for Droid', () => {
  test('says the type, keeps what only Droid knows, and drops what the definition no longer says', () => {
    const old = { url: 'u', disabled: true, disabledTools: ['x'], timeout: 5, headers: { A: 'b' }, note: 'mine' };
    const definition: McpServerDef = { transport: 'streamable_http', url: 'https://a.example.com/${PATH_PART:-x}' };
    expect(write({ mcpServers: { a: old } }, 'a', definition)?.edits).toEqual([
      {
        path: ['mcpServers', 'a'],
        value: { type: 'http', url: 'https://a.example.com/${PATH_PART:-x}', note: 'mine' },
      },
    ]);
  });

  test.each<[McpServerDef, string]>([
    [{ transport: 'ws', url: 'wss://a.example.com' }, 'it cannot speak WebSocket'],
    [{ transport: 'stdio', command: 'a', tools: { allow: ['x'] } }, 'it cannot limit a server to some tools'],
    [{ transport: 'stdio', command: 'a', env: { K: '${secret:k}' } }, 'it has no way to write ${secret:k}'],
  ])('leaves out what it cannot say: %j', (definition, because) => {
    expect(write({}, 'a', definition)).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
  });
});

test('Droid keeps its files where its variable says', () => {
  const from = { home: '/home/me', cwd: '/project', platform: 'linux' as const, policyDirectory: '/etc/junctor' };
  expect(droid.files?.({ ...from, env: {} })).toEqual([
    { scope: 'user', path: '/home/me/.factory/mcp.json' },
    { scope: 'project', path: '/project/.factory/mcp.json' },
  ]);
  expect(droid.files?.({ ...from, env: { FACTORY_HOME_OVERRIDE: '/f' } })[0]?.path).toBe('/f/.factory/mcp.json');
});
