import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { jsonFormat } from '../formats/json/json.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { opencode } from './opencode.ts';

const FILE = '/home/me/.config/opencode/opencode.json';
const read = (value: unknown) => opencode.read(value, { file: FILE, home: '/home/me' });
const write = (value: unknown, id: string, definition: McpServerDef | undefined) =>
  opencode.write?.(value, [{ id, definition }]);

function sample(name: string): unknown {
  const file = join(import.meta.dirname, 'samples', 'opencode', name);
  const result = jsonFormat.read(file, readFileSync(file, 'utf8'));
  return result.ok ? result.document.value : undefined;
}

const said = (value: unknown): unknown =>
  Object.fromEntries(read(value).servers.map(({ id, definition }) => [id, definition]));

describe('an opencode file', () => {
  promise('1.4l', 'loads as it stands, with servers beside each other or under a key of their own', () => {
    expect(said(sample('opencode.jsonc'))).toEqual({
      hub: {
        transport: 'http',
        url: 'https://hub.example.com/mcp',
        headers: { Authorization: 'Bearer ${HUB_TOKEN}' },
        oauth: false,
        enabled: true,
        request_timeout_ms: 5000,
        tool_idle_timeout_ms: 5000,
      },
      loc: { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: '${K}' }, cwd: '.', enabled: true },
      signed: {
        transport: 'http',
        url: 'https://signed.example.com/mcp',
        oauth: { client_id: 'junctor', client_secret: '${CLIENT_SECRET}', scope: 'read write' },
      },
      elsewhere: { enabled: false },
    });
    expect(said(sample('nested.json'))).toEqual({
      hub: { transport: 'http', url: 'https://hub.example.com/mcp' },
      loc: { transport: 'stdio', command: 'server', enabled: false },
    });
    expect(read(sample('opencode.jsonc')).problems).toEqual([]);
    expect(read(sample('nested.json')).problems).toEqual([]);
  });

  test('says where each thing stands', () => {
    const [, loc] = read(sample('opencode.jsonc')).servers;
    expect(loc?.path).toEqual(['mcp', 'loc']);
    expect(loc?.at).toEqual({
      transport: ['mcp', 'loc', 'type'],
      command: ['mcp', 'loc', 'command'],
      args: ['mcp', 'loc', 'command'],
      env: ['mcp', 'loc', 'environment'],
      cwd: ['mcp', 'loc', 'cwd'],
      enabled: ['mcp', 'loc', 'enabled'],
    });
  });

  test('may call a server "servers"', () => {
    const value = { mcp: { servers: { type: 'local', command: ['a'] } } };
    expect(said(value)).toEqual({ servers: { transport: 'stdio', command: 'a' } });
    expect(write(value, 'servers', undefined)?.edits).toEqual([{ path: ['mcp', 'servers'], value: undefined }]);
    expect(write(sample('nested.json'), 'servers', undefined)?.edits).toEqual([]);
  });

  test('is told what makes opencode refuse it', () => {
    const value = {
      mcp: {
        a: { command: ['a'] },
        b: { type: 'local', command: 'npx -y b' },
        c: { type: 'remote', url: '{file:./url}' },
      },
    };
    expect(read(value).problems).toEqual([
      {
        server: 'a',
        path: ['mcp', 'a', 'type'],
        message: "Server 'a' has no 'type', and opencode refuses the whole file because of it.",
        fix: 'Add "type": "local" or "type": "remote".',
      },
      {
        server: 'b',
        path: ['mcp', 'b', 'command'],
        message: "opencode takes 'command' of server 'b' as a list.",
        expected: 'a list',
        fix: 'Write the program and its arguments as ["program", "argument"].',
      },
      {
        server: 'c',
        path: ['mcp', 'c', 'type'],
        message: "Server 'c' takes text out of a file with {file:…}, which only opencode can.",
        fix: 'Put the text into a variable: {env:NAME}.',
      },
    ]);
    expect(read({ mcp: [] }).problems).toEqual([
      { path: ['mcp'], message: "'mcp' holds no servers.", expected: 'an object', fix: "Make 'mcp' an object." },
    ]);
  });
});

describe('writing for opencode', () => {
  test('says the type of every server, and variables its way', () => {
    const bearer = { transport: 'sse', url: 'https://a.example.com/sse', bearer_token_env_var: 'T' } as const;
    const headers = { Authorization: 'Bearer {env:T}' };
    expect(write({}, 'a', bearer)?.edits).toEqual([
      { path: ['mcp', 'a'], value: { type: 'remote', url: 'https://a.example.com/sse', headers } },
    ]);
    expect(write({}, 'b', { transport: 'stdio', command: 'b', tool_timeout_ms: 9000 })?.edits).toEqual([
      { path: ['mcp', 'b'], value: { type: 'local', command: ['b'], timeout: 9000 } },
    ]);
  });

  test('keeps what only opencode knows, and drops what the definition no longer says', () => {
    const signed: McpServerDef = { transport: 'http', url: 'https://new.example.com/mcp' };
    expect(write(sample('opencode.jsonc'), 'signed', signed)?.edits).toEqual([
      {
        path: ['mcp', 'signed'],
        value: {
          type: 'remote',
          url: 'https://new.example.com/mcp',
          oauth: { callbackPort: 19876, redirectUri: 'http://127.0.0.1:19876/callback' },
        },
      },
    ]);
    const value = { mcp: { a: { type: 'remote', url: 'u', enabled: false, timeout: 1, oauth: false, note: 'mine' } } };
    expect(write(value, 'a', { transport: 'stdio', command: 'a' })?.edits).toEqual([
      { path: ['mcp', 'a'], value: { type: 'local', command: ['a'], note: 'mine' } },
    ]);
  });

  test('stays with the place a file already uses', () => {
    const hub: McpServerDef = { transport: 'http', url: 'https://hub.example.com/mcp' };
    expect(write(sample('nested.json'), 'new', hub)?.edits).toEqual([
      { path: ['mcp', 'servers', 'new'], value: { type: 'remote', url: hub.url } },
    ]);
    expect(write(sample('nested.json'), 'loc', undefined)?.edits).toEqual([
      { path: ['mcp', 'servers', 'loc'], value: undefined },
    ]);
  });

  test.each<[McpServerDef, string]>([
    [{ transport: 'ws', url: 'wss://a.example.com' }, 'it cannot speak WebSocket'],
    [
      { transport: 'http', url: 'http://127.0.0.1:1/mcp', command: 'a' },
      'it cannot start the program that serves a url',
    ],
    [{ transport: 'http', url: 'https://a.example.com/${secret:a}' }, 'it has no way to write ${secret:a}'],
    [{ transport: 'stdio', command: 'a', env: { K: '${K:-d}' } }, 'it has no way to write ${K:-d}'],
    [{ transport: 'stdio', command: 'a', tools: { allow: ['read'] } }, 'it cannot limit a server to some tools'],
    [{ transport: 'stdio', command: 'a', tools: { deny: ['read'] } }, 'it cannot keep single tools away'],
  ])('leaves out what it cannot say: %j', (definition, because) => {
    expect(write({}, 'a', definition)).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
  });
});

test('opencode keeps its files where its variables say', () => {
  const from = { home: '/home/me', cwd: '/project', platform: 'linux' as const, policyDirectory: '/etc/junctor' };
  expect(opencode.files?.({ ...from, env: {} })).toEqual([
    { scope: 'user', path: '/home/me/.config/opencode/opencode.json' },
    { scope: 'user', path: '/home/me/.config/opencode/opencode.jsonc' },
    { scope: 'project', path: '/project/opencode.json' },
    { scope: 'project', path: '/project/opencode.jsonc' },
  ]);
  const env = { XDG_CONFIG_HOME: '/xdg', OPENCODE_CONFIG: 'mine.json', OPENCODE_CONFIG_DIR: '/dir' };
  expect(
    opencode
      .files?.({ ...from, env })
      .map(({ path }) => path)
      .slice(0, 5),
  ).toEqual([
    '/project/mine.json',
    '/dir/opencode.json',
    '/dir/opencode.jsonc',
    '/xdg/opencode/opencode.json',
    '/xdg/opencode/opencode.jsonc',
  ]);
});

test('opencode is known by its entries in a file of any name', () => {
  const entries = { mcp: { a: { type: 'local', command: ['a'] } } };
  expect(opencode.recognise('/any/where.json', entries)).toBe(true);
  expect(opencode.recognise('/any/where.json', { mcp: { allowed: [] } })).toBe(false);
  expect(opencode.recognise('/project/opencode.json', {})).toBe(true);
  expect(opencode.recognise('/project/.kilo/opencode.json', entries)).toBe(false);
});
