import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { McpServerDef } from '../schema/server-schema.ts';
import { cline } from './cline.ts';

const read = (value: unknown) => cline.read(value, { file: '/x/cline_mcp_settings.json', home: '/home/me' });
const write = (value: unknown, definition: McpServerDef) => cline.write?.(value, [{ id: 'a', definition }]);
const sample = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'samples', 'cline', name), 'utf8'));
const said = (value: unknown): unknown =>
  Object.fromEntries(read(value).servers.map(({ id, definition }) => [id, definition]));

promise('1.4q', 'a Cline file loads as it stands, flat and nested', () => {
  expect(said(sample('cline_mcp_settings.json'))).toEqual({
    hub: {
      transport: 'streamable_http',
      url: 'https://hub.example.com/mcp',
      headers: {},
      enabled: true,
      tool_timeout_ms: 60000,
    },
    old: { transport: 'sse', url: 'https://old.example.com/sse', enabled: false },
    loc: { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: 'costs $${MORE}' } },
  });
  expect(said(sample('nested.json'))).toEqual({
    hub: {
      transport: 'streamable_http',
      url: 'https://hub.example.com/mcp',
      headers: { 'X-Team': 'a' },
      enabled: false,
    },
    loc: { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: 'v' } },
  });
  expect(read(sample('nested.json')).servers[0]?.at).toEqual({
    transport: ['mcpServers', 'hub', 'transport', 'type'],
    url: ['mcpServers', 'hub', 'transport', 'url'],
    headers: ['mcpServers', 'hub', 'transport', 'headers'],
    enabled: ['mcpServers', 'hub', 'disabled'],
  });
});

test('a Cline file may use the words of older versions', () => {
  const servers = {
    a: { transportType: 'http', url: 'https://a.example.com' },
    b: { transportType: 'stdio', command: 'b' },
  };
  expect(said({ mcpServers: servers })).toEqual({
    a: { transport: 'http', url: 'https://a.example.com' },
    b: { transport: 'stdio', command: 'b' },
  });
});

describe('writing for Cline', () => {
  test('says the type, and times in whole seconds', () => {
    const definition: McpServerDef = {
      transport: 'http',
      url: 'https://a.example.com',
      tool_timeout_ms: 1500,
      enabled: true,
    };
    expect(write({}, definition)?.edits).toEqual([
      {
        path: ['mcpServers', 'a'],
        value: { type: 'streamableHttp', url: 'https://a.example.com', disabled: false, timeout: 2 },
      },
    ]);
  });

  test('keeps what only Cline knows, and leaves no second way of reaching the server', () => {
    const transport = { type: 'streamableHttp', url: 'https://old.example.com' };
    const old = { transport, transportType: 'http', disabled: true, timeout: 9, autoApprove: ['x'] };
    expect(write({ mcpServers: { a: old } }, { transport: 'stdio', command: 'a' })?.edits).toEqual([
      { path: ['mcpServers', 'a'], value: { type: 'stdio', command: 'a', autoApprove: ['x'] } },
    ]);
  });

  test('may hold text that looks like a variable, for it expands none', () => {
    expect(write({}, { transport: 'stdio', command: 'a', env: { K: '$${K}' } })?.edits[0]?.value).toEqual({
      type: 'stdio',
      command: 'a',
      env: { K: '${K}' },
    });
  });

  test.each<[McpServerDef, string]>([
    [{ transport: 'http', url: 'https://a.example.com', bearer_token_env_var: 'T' }, 'it has no way to write ${T}'],
    [{ transport: 'stdio', command: 'a', env: { K: 'x${secret:k}' } }, 'it has no way to write ${secret:k}'],
    [{ transport: 'ws', url: 'wss://a.example.com' }, 'it cannot speak WebSocket'],
    [{ transport: 'stdio', command: 'a', tools: { allow: ['x'] } }, 'it cannot limit a server to some tools'],
  ])('leaves out what it cannot say: %j', (definition, because) => {
    expect(write({}, definition)).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
  });
});

test.each([
  ['linux', {}, '/home/me/.config/Code'],
  ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/Code'],
  ['darwin', {}, '/home/me/Library/Application Support/Code'],
  ['win32', { APPDATA: '/appdata' }, '/appdata/Code'],
] as const)('Cline keeps its files in the home and with VS Code: %s %j', (platform, env, code) => {
  expect(cline.files?.({ home: '/home/me', cwd: '/project', env, platform, policyDirectory: '/etc/junctor' })).toEqual([
    { scope: 'user', path: '/home/me/.cline/data/settings/cline_mcp_settings.json' },
    { scope: 'user', path: `${code}/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json` },
  ]);
});
