import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { McpServerDef } from '../schema/server-schema.ts';
import { qwenCode } from './qwen-code.ts';

const FILE = '/home/me/.qwen/settings.json';
const sample = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'samples/qwen-code', name), 'utf8'));
const write = (value: unknown, id: string, definition: McpServerDef) => qwenCode.write?.(value, [{ id, definition }]);

function said(value: unknown): Record<string, McpServerDef> {
  const { servers } = qwenCode.read(value, { file: FILE, home: '/home/me' });
  return Object.fromEntries(servers.map(({ id, definition }) => [id, definition as McpServerDef]));
}

describe('a file of Qwen Code', () => {
  promise('1.4k', 'loads as it stands: a url speaks SSE whatever its type, and variables have no defaults', () => {
    expect(said(sample('hub.json'))).toEqual({
      hub: {
        transport: 'http',
        url: 'https://hub.example.com/mcp',
        headers: { Authorization: `Bearer \${HUB_TOKEN}` },
        tool_timeout_ms: 30000,
        trust: 'untrusted',
        tools: { allow: ['a'], deny: ['b'] },
      },
      loc: { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: `\${K}` }, cwd: '.', enabled: false },
      old: { transport: 'sse', url: 'https://hub.example.com/mcp/sse', enabled: false },
    });
    expect(said(sample('with-junctor.json'))).toEqual({
      junctor: {
        transport: 'http',
        url: 'http://127.0.0.1:7717/mcp/qwen-code',
        headers: { Authorization: `Bearer \${JUNCTOR_TOKEN}` },
        connect_timeout_ms: 5000,
      },
      typed: { transport: 'sse', url: 'https://hub.example.com/mcp' },
      loc: {
        transport: 'stdio',
        command: 'npx',
        args: ['-y', 'pkg'],
        env: { K: `$\${K:-literal}` },
        protocol: 'legacy',
      },
    });
  });
});

describe('writing for Qwen Code', () => {
  test.each<[string, McpServerDef, object]>([
    [
      'junctor',
      { transport: 'http', url: 'https://a.example.com', bearer_token_env_var: 'T', connect_timeout_ms: 9 },
      {
        httpUrl: 'https://a.example.com',
        headers: { Authorization: `Bearer \${T}` },
        discoveryTimeoutMs: 9,
        alwaysLoadTools: true,
      },
    ],
    ['typed', { transport: 'sse', url: 'https://a.example.com' }, { url: 'https://a.example.com' }],
    ['loc', { transport: 'stdio', command: 'x', protocol: 'auto' }, { command: 'x', versionNegotiation: 'auto' }],
    ['new', { transport: 'stdio', command: 'x', protocol: 'modern' }, { command: 'x' }],
  ])('in its own words, and what only it knows stays: %s', (id, definition, value) => {
    const written = write(sample('with-junctor.json'), id, definition);
    expect(written).toEqual({ edits: [{ path: ['mcpServers', id], value }], leftOut: [] });
  });

  test.each<[string, McpServerDef]>([
    [`it has no way to write \${K:-d}`, { transport: 'stdio', command: 'x', env: { K: `\${K:-d}` } }],
    ['it cannot speak WebSocket', { transport: 'ws', url: 'wss://a.example.com' }],
  ])('leaves a server out, because %s', (because, definition) => {
    expect(write({}, 'x', definition)).toEqual({ edits: [], leftOut: [{ id: 'x', because }] });
  });
});

test('its files follow QWEN_HOME', () => {
  const from = { cwd: '/project', home: '/home/me', platform: 'linux', policyDirectory: '/etc/junctor' } as const;
  const project = { scope: 'project', path: '/project/.qwen/settings.json' };
  expect(qwenCode.files?.({ ...from, env: {} })).toEqual([{ scope: 'user', path: FILE }, project]);
  expect(qwenCode.files?.({ ...from, env: { QWEN_HOME: '/other' } })).toEqual([
    { scope: 'user', path: '/other/settings.json' },
    project,
  ]);
});
