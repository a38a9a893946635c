import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { loadFormat } from '../formats/format.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { continueDev } from './continue.ts';

const read = (value: unknown) => continueDev.read(value, { file: '/home/me/.continue/config.yaml', home: '/home/me' });
const write = (value: unknown, changes: Record<string, McpServerDef | undefined>) =>
  continueDev.write?.(
    value,
    Object.entries(changes).map(([id, definition]) => ({ id, definition })),
  );
const file = join(import.meta.dirname, 'samples', 'continue', 'config.yaml');
const result = (await loadFormat('yaml')).read(file, readFileSync(file, 'utf8'));
const sample = result.ok ? result.document.value : undefined;

promise('1.4r', 'a Continue file loads as it stands, each server by its name', () => {
  const { servers, problems } = read(sample);
  expect(problems).toEqual([]);
  expect(servers.map(({ id, path, definition }) => [id, path, definition])).toEqual([
    [
      'hub',
      ['mcpServers', 1],
      {
        transport: 'streamable_http',
        url: 'https://hub.example.com/mcp',
        headers: { Authorization: 'Bearer ${HUB_TOKEN}' },
      },
    ],
    ['old', ['mcpServers', 2], { transport: 'sse', url: 'https://old.example.com/sse' }],
    [
      'My Files',
      ['mcpServers', 3],
      { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: '${K}' }, connect_timeout_ms: 20000 },
    ],
    ['bare', ['mcpServers', 4], { transport: 'stdio', command: 'server' }],
  ]);
});

test('a Continue file is told of servers without a name, or with one name for two', () => {
  const list = [{ command: 'a' }, { name: 'b', command: 'b' }, 7, { name: 'b', command: 'c' }];
  expect(read({ mcpServers: list }).problems).toEqual([
    {
      path: ['mcpServers', 0],
      message: "Server 1 of 'mcpServers' has no name.",
      fix: "Add a 'name' of letters, digits, _ or -.",
    },
    {
      path: ['mcpServers', 2],
      message: "Server 3 of 'mcpServers' has no name.",
      fix: "Add a 'name' of letters, digits, _ or -.",
    },
    {
      server: 'b',
      path: ['mcpServers', 3, 'name'],
      message: "The name 'b' stands twice in 'mcpServers'.",
      fix: 'Rename or remove one of them.',
    },
  ]);
  expect(read({ mcpServers: { a: {} } }).problems).toEqual([
    {
      path: ['mcpServers'],
      message: "'mcpServers' holds no servers.",
      expected: 'a list',
      fix: "Make 'mcpServers' a list.",
    },
  ]);
});

describe('writing for Continue', () => {
  const web: McpServerDef = { transport: 'http', url: 'https://a.example.com', headers: { 'X-Key': '${KEY}' } };
  const webItem = {
    type: 'streamable-http',
    url: 'https://a.example.com',
    requestOptions: { headers: { 'X-Key': '${{ secrets.KEY }}' } },
  };

  test('begins a list, or adds to its end', () => {
    expect(write({}, { a: web })?.edits).toEqual([{ path: ['mcpServers'], value: [{ name: 'a', ...webItem }] }]);
    expect(write({ mcpServers: null }, { a: web })?.edits).toHaveLength(1);
    expect(write(sample, { a: web, b: { transport: 'sse', url: 'https://b.example.com' } })?.edits).toEqual([
      { path: ['mcpServers', 5], value: { name: 'a', ...webItem } },
      { path: ['mcpServers', 6], value: { name: 'b', type: 'sse', url: 'https://b.example.com' } },
    ]);
  });

  test('replaces the server of that name, and keeps what only Continue knows', () => {
    const requestOptions = { ...webItem.requestOptions, verifySsl: true };
    expect(write(sample, { hub: web })?.edits).toEqual([
      { path: ['mcpServers', 1], value: { name: 'hub', ...webItem, requestOptions } },
    ]);
    expect(write(sample, { hub: { transport: 'stdio', command: 'a' } })?.edits).toEqual([
      { path: ['mcpServers', 1], value: { name: 'hub', type: 'stdio', command: 'a' } },
    ]);
  });

  test('takes several servers out from the end, so that none slips away', () => {
    expect(write(sample, { hub: undefined, new: web, bare: undefined, old: web, nobody: undefined })?.edits).toEqual([
      { path: ['mcpServers', 2], value: { name: 'old', ...webItem } },
      { path: ['mcpServers', 4], value: undefined },
      { path: ['mcpServers', 1], value: undefined },
      { path: ['mcpServers', 3], value: { name: 'new', ...webItem } },
    ]);
  });

  test.each<[McpServerDef, string]>([
    [{ transport: 'ws', url: 'wss://a.example.com' }, 'it cannot speak WebSocket'],
    [{ transport: 'stdio', command: 'a', enabled: false }, 'its file cannot keep a server switched off'],
    [{ transport: 'stdio', command: 'a', args: ['${X:-d}'] }, 'it has no way to write ${X:-d}'],
    [{ transport: 'stdio', command: 'a', tools: { deny: ['x'] } }, 'it cannot keep single tools away'],
  ])('leaves out what it cannot say: %j', (definition, because) => {
    expect(write({}, { a: definition })).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
  });

  test('leaves a file alone whose servers are no list', () => {
    const because = "'mcpServers' in its file is no list";
    expect(write({ mcpServers: {} }, { a: web })).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
  });
});

test('Continue keeps its file where its variable says, and is known by a list of servers anywhere', () => {
  const from = { home: '/home/me', cwd: '/project', platform: 'linux' as const, policyDirectory: '/etc/junctor' };
  expect(continueDev.files?.({ ...from, env: {} })).toEqual([
    { scope: 'user', path: '/home/me/.continue/config.yaml' },
  ]);
  const env = { CONTINUE_GLOBAL_DIR: '/c' };
  expect(continueDev.files?.({ ...from, env })).toEqual([{ scope: 'user', path: '/c/config.yaml' }]);
  expect(continueDev.recognise('/project/.continue/mcpServers/files.yaml', {})).toBe(true);
  expect(continueDev.recognise('/c/config.yaml', sample)).toBe(true);
  expect(continueDev.recognise('/c/config.yaml', { mcpServers: {} })).toBe(false);
});
