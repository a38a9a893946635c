import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { McpServerDef } from '../schema/server-schema.ts';
import { copilot } from './copilot.ts';

const read = (value: unknown) => copilot.read(value, { file: '/home/me/.copilot/mcp-config.json', home: '/home/me' });
const write = (value: unknown, definition: McpServerDef) => copilot.write?.(value, [{ id: 'a', definition }]);
const sample = JSON.parse(readFileSync(join(import.meta.dirname, 'samples', 'copilot', 'mcp-config.json'), 'utf8'));

promise('1.4n', 'a Copilot CLI file loads as it stands', () => {
  const { servers, problems } = read(sample);
  expect(problems).toEqual([]);
  expect(Object.fromEntries(servers.map(({ id, definition }) => [id, definition]))).toEqual({
    hub: {
      transport: 'http',
      url: 'https://hub.example.com/mcp',
      headers: { Authorization: 'Bearer ${HUB_TOKEN}', 'X-User': '${USER}' },
      tool_timeout_ms: 30000,
    },
    loc: {
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'pkg'],
      env: { K: 'v' },
      tools: { allow: ['read', 'write'] },
    },
    old: { transport: 'sse', url: 'https://old.example.com/sse' },
    plain: { transport: 'stdio', command: 'server', tools: { allow: [] } },
  });
});

describe('writing for Copilot CLI', () => {
  test('always says which tools, and variables its way', () => {
    expect(write({}, { transport: 'stdio', command: 'a', env: { K: '${K:-d}' } })?.edits).toEqual([
      { path: ['mcpServers', 'a'], value: { type: 'local', command: 'a', env: { K: '${K:-d}' }, tools: ['*'] } },
    ]);
    const limited: McpServerDef = {
      transport: 'streamable_http',
      url: 'https://a.example.com',
      tools: { allow: ['x'] },
    };
    expect(write({}, { ...limited, tool_timeout_ms: 1500 })?.edits).toEqual([
      { path: ['mcpServers', 'a'], value: { type: 'http', url: 'https://a.example.com', tools: ['x'], timeout: 1500 } },
    ]);
  });

  test('keeps what only Copilot CLI knows, and drops what the definition no longer says', () => {
    const old = { type: 'http', url: 'u', headers: { A: 'b' }, tools: ['x'], timeout: 5, oauthClientId: 'mine' };
    expect(write({ mcpServers: { a: old } }, { transport: 'http', url: 'https://a.example.com' })?.edits).toEqual([
      {
        path: ['mcpServers', 'a'],
        value: { type: 'http', url: 'https://a.example.com', tools: ['*'], oauthClientId: 'mine' },
      },
    ]);
  });

  test.each<[McpServerDef, string]>([
    [{ transport: 'ws', url: 'wss://a.example.com' }, 'it cannot speak WebSocket'],
    [{ transport: 'http', url: 'http://127.0.0.1:1', command: 'a' }, 'it cannot start the program that serves a url'],
    [{ transport: 'stdio', command: 'a', enabled: false }, 'its file cannot keep a server switched off'],
    [{ transport: 'stdio', command: 'a', tools: { deny: ['x'] } }, 'it cannot keep single tools away'],
    [
      { transport: 'stdio', command: 'a', tools: { allow: ['x_*'] } },
      'its lists take names of tools, and x_* is a pattern',
    ],
    [{ transport: 'stdio', command: 'a', env: { K: '${secret:k}' } }, 'it has no way to write ${secret:k}'],
  ])('leaves out what it cannot say: %j', (definition, because) => {
    expect(write({}, definition)).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
  });
});

test('Copilot CLI keeps its files where its variable says', () => {
  const from = { home: '/home/me', cwd: '/project', platform: 'linux' as const, policyDirectory: '/etc/junctor' };
  expect(copilot.files?.({ ...from, env: {} })).toEqual([
    { scope: 'user', path: '/home/me/.copilot/mcp-config.json' },
    { scope: 'project', path: '/project/.github/mcp.json' },
    { scope: 'project', path: '/project/.mcp.json' },
  ]);
  expect(copilot.files?.({ ...from, env: { COPILOT_HOME: '/c' } })[0]?.path).toBe('/c/mcp-config.json');
});
