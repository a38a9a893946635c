import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { loadFormat } from '../formats/format.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { grok } from './grok.ts';

const read = (value: unknown) => grok.read(value, { file: '/home/me/.grok/config.toml', home: '/home/me' });
const write = (value: unknown, id: string, definition: McpServerDef) => grok.write?.(value, [{ id, definition }]);
const file = join(import.meta.dirname, 'samples', 'grok', 'config.toml');
const result = (await loadFormat('toml')).read(file, readFileSync(file, 'utf8'));
const sample = result.ok ? result.document.value : undefined;

promise('1.4p', 'a Grok file loads as it stands', () => {
  const { servers, problems } = read(sample);
  expect(problems).toEqual([]);
  expect(Object.fromEntries(servers.map(({ id, definition }) => [id, definition]))).toEqual({
    hub: {
      transport: 'http',
      url: 'https://hub.example.com/mcp',
      headers: { Authorization: 'Bearer ${HUB_TOKEN}', 'X-Team': '${TEAM:-blue}' },
      enabled: true,
      connect_timeout_ms: 10000,
      tool_timeout_ms: 60000,
    },
    loc: {
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'pkg'],
      env: { K: '${K}' },
      cwd: '/abs/dir',
      enabled: false,
      tool_timeouts_ms: { slow: 120000 },
    },
    token: { transport: 'http', url: 'https://token.example.com/mcp', bearer_token_env_var: 'TOKEN' },
  });
});

test('a Grok file is told that Grok does not speak SSE', () => {
  const { servers, problems } = read({ mcp_servers: { a: { url: 'https://a.example.com/sse', type: 'sse' } } });
  expect(problems).toEqual([
    {
      server: 'a',
      path: ['mcp_servers', 'a', 'type'],
      message: `Server 'a' says type "sse", which Grok stores but does not speak.`,
      fix: 'Use the streamable HTTP url of this server, without a type.',
    },
  ]);
  expect(servers[0]?.definition).toEqual({ transport: 'sse', url: 'https://a.example.com/sse' });
});

describe('writing for Grok', () => {
  test('says times in whole seconds, never shorter than asked for', () => {
    const definition: McpServerDef = {
      transport: 'stdio',
      command: 'a',
      connect_timeout_ms: 1500,
      tool_timeout_ms: 2000,
      tool_timeouts_ms: { slow: 1 },
    };
    expect(write({}, 'a', definition)?.edits).toEqual([
      {
        path: ['mcp_servers', 'a'],
        value: { command: 'a', startup_timeout_sec: 2, tool_timeout_sec: 2, tool_timeouts: { slow: 1 } },
      },
    ]);
  });

  test('keeps what only Grok knows, and drops what the definition no longer says', () => {
    expect(write(sample, 'loc', { transport: 'http', url: 'https://a.example.com' })?.edits).toEqual([
      { path: ['mcp_servers', 'loc'], value: { url: 'https://a.example.com', expose_image_base64: true } },
    ]);
  });

  test.each<[McpServerDef, string]>([
    [{ transport: 'sse', url: 'https://a.example.com/sse' }, 'it cannot speak SSE'],
    [{ transport: 'http', url: 'http://127.0.0.1:1', command: 'a' }, 'it cannot start the program that serves a url'],
    [
      { transport: 'stdio', command: 'a', env: { K: 'a $HOME' } },
      'it has no way to write a text that looks like a variable to it',
    ],
    [{ transport: 'stdio', command: 'a', tools: { allow: ['x'] } }, 'it cannot limit a server to some tools'],
  ])('leaves out what it cannot say: %j', (definition, because) => {
    expect(write({}, 'a', definition)).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
  });
});

test('Grok keeps its files where its variable says', () => {
  const from = { home: '/home/me', cwd: '/project', platform: 'linux' as const, policyDirectory: '/etc/junctor' };
  expect(grok.files?.({ ...from, env: {} })).toEqual([
    { scope: 'user', path: '/home/me/.grok/config.toml' },
    { scope: 'project', path: '/project/.grok/config.toml' },
  ]);
  expect(grok.files?.({ ...from, env: { GROK_HOME: '/g' } })[0]?.path).toBe('/g/config.toml');
});
