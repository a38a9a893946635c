import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { jsonFormat } from '../formats/json/json.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import type { ServerChange } from './dialect.ts';
import { gemini } from './gemini.ts';

const FILE = '/home/me/.gemini/settings.json';
const read = (value: unknown) => gemini.read(value, { file: FILE, home: '/home/me' });
const write = (value: unknown, ...changes: ServerChange[]) => gemini.write?.(value, changes);
const PROGRAM: McpServerDef = { transport: 'stdio', command: 'x' };

function said(value: unknown): Record<string, McpServerDef> {
  return Object.fromEntries(read(value).servers.map(({ id, definition }) => [id, definition as McpServerDef]));
}

function sample(name: string): { text: string; value: unknown } {
  const text = readFileSync(join(import.meta.dirname, 'samples/gemini', name), 'utf8');
  const result = jsonFormat.read(FILE, text);
  return { text, value: result.ok ? result.document.value : undefined };
}

describe('a file of Gemini CLI', () => {
  promise('1.4j', 'loads as it stands; what it does not use is switched off', () => {
    expect(said(sample('hub.json').value)).toEqual({
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
    expect(said(sample('with-junctor.json').value)).toEqual({
      junctor: {
        transport: 'http',
        url: 'http://127.0.0.1:7717/mcp/gemini',
        headers: { Authorization: `Bearer \${JUNCTOR_TOKEN}`, 'X-Team': `\${TEAM:-core}` },
      },
      untyped: {
        transport: 'http',
        url: 'https://untyped.example.com/mcp',
        meta: { description: 'Speaks HTTP' },
        trust: 'trusted',
      },
      signed: {
        transport: 'http',
        url: 'https://signed.example.com/mcp',
        oauth: {
          client_id: 'our-client',
          client_secret: `\${CLIENT_SECRET}`,
          authorization_url: 'https://login.example.com/authorize',
          token_url: 'https://login.example.com/token',
          scope: 'read write',
        },
      },
      excluded: { transport: 'stdio', command: 'server', enabled: false },
    });
  });

  test('a url goes before a command', () => {
    const value = { mcpServers: { a: { command: 'x', url: 'https://a.example.com' } } };
    expect(said(value)).toEqual({ a: { transport: 'http', url: 'https://a.example.com' } });
  });
});

describe('writing for Gemini CLI', () => {
  test('what only it knows stays', () => {
    const { text, value } = sample('with-junctor.json');
    const changes = Object.entries(said(value)).map(([id, definition]) => ({ id, definition }));
    const after = jsonFormat.edit(text, write(value, ...changes)?.edits ?? []);
    expect(after).toContain('// What gemini writes itself, and what it accepts besides.');
    const { mcpServers, ...around } = value as { mcpServers: Record<string, { url?: string; headers?: object }> };
    const { url, headers } = mcpServers.junctor ?? {};
    const { url: untyped, ...rest } = mcpServers.untyped ?? {};
    const result = jsonFormat.read(FILE, after);
    expect(result.ok && result.document.value).toEqual({
      ...around,
      mcpServers: { ...mcpServers, junctor: { httpUrl: url, headers }, untyped: { httpUrl: untyped, ...rest } },
    });
  });

  test('SSE is said as such', () => {
    const value = { url: 'https://a.example.com/sse', type: 'sse', trust: true, description: 'Old' };
    const definition: McpServerDef = {
      transport: 'sse',
      url: 'https://a.example.com/sse',
      trust: 'trusted',
      meta: { description: 'Old' },
    };
    expect(write({}, { id: 'x', definition })?.edits).toEqual([{ path: ['mcpServers', 'x'], value }]);
  });

  test('servers are switched on and off in the lists beside them', () => {
    const value = { mcpServers: {}, mcp: { allowed: ['a', 'b'], excluded: ['a', 'c'] } };
    const changes = [
      { id: 'a', definition: PROGRAM },
      { id: 'b', definition: { ...PROGRAM, enabled: false } },
      { id: 'new', definition: { ...PROGRAM, enabled: true } },
    ];
    expect(write(value, ...changes)?.edits.slice(3)).toEqual([
      { path: ['mcp', 'excluded'], value: ['c', 'b'] },
      { path: ['mcp', 'allowed'], value: ['a', 'b', 'new'] },
    ]);
  });

  test('a list of allowed servers is never begun: it would switch off all others', () => {
    expect(write({ mcp: { allowed: [] } }, { id: 'x', definition: PROGRAM })?.edits).toEqual([
      { path: ['mcpServers', 'x'], value: { command: 'x' } },
    ]);
  });

  test.each<[string, McpServerDef]>([
    ['it cannot speak WebSocket', { transport: 'ws', url: 'wss://a.example.com' }],
    [`it has no way to write \${secret:K}`, { transport: 'stdio', command: 'x', env: { K: `\${secret:K}` } }],
    [
      'it has no way to write a text that looks like a variable to it',
      { transport: 'stdio', command: 'x', args: ['$HOME'] },
    ],
    [
      'its lists take names of tools, and a* is a pattern',
      { transport: 'stdio', command: 'x', tools: { allow: ['a*'] } },
    ],
  ])('leaves a server out, because %s', (because, definition) => {
    expect(write({}, { id: 'x', definition })).toEqual({ edits: [], leftOut: [{ id: 'x', because }] });
  });
});

test('its files follow GEMINI_CLI_HOME', () => {
  const from = { cwd: '/project', home: '/home/me', platform: 'linux', policyDirectory: '/etc/junctor' } as const;
  const project = { scope: 'project', path: '/project/.gemini/settings.json' };
  expect(gemini.files?.({ ...from, env: {} })).toEqual([{ scope: 'user', path: FILE }, project]);
  expect(gemini.files?.({ ...from, env: { GEMINI_CLI_HOME: '/other' } })).toEqual([
    { scope: 'user', path: '/other/.gemini/settings.json' },
    project,
  ]);
});
