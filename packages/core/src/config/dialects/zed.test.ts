import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { jsonFormat } from '../formats/json/json.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { zed } from './zed.ts';

const FILE = '/home/me/.config/zed/settings.json';
const read = (value: unknown) => zed.read(value, { file: FILE, home: '/home/me' });
const said = (value: unknown) => Object.fromEntries(read(value).servers.map(({ id, definition }) => [id, definition]));
const write = (value: unknown, definition: McpServerDef) => zed.write?.(value, [{ id: 'x', definition }]);

function sample(name: string): unknown {
  const result = jsonFormat.read(FILE, readFileSync(join(import.meta.dirname, 'samples/zed', name), 'utf8'));
  return result.ok ? result.document.value : undefined;
}

describe('a file of Zed', () => {
  promise('1.4w', 'loads as it stands, in its older shapes too', () => {
    expect(said(sample('with-junctor.json'))).toEqual({
      junctor: { transport: 'stdio', command: 'junctor', args: ['connect', 'zed'], env: {} },
      remote: {
        transport: 'http',
        url: 'https://hub.example.com/mcp',
        headers: { 'X-Literal': `$\${NOT_EXPANDED}` },
        tool_timeout_ms: 90000,
        oauth: { client_id: 'our-client' },
      },
      off: { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: 'v' }, enabled: false },
    });
    const npx = { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: 'v' } };
    expect(said(sample('older.json'))).toEqual({ nested: npx, flat: npx });
  });

  test("an extension's server is a problem: only Zed can start it", () => {
    const settings = { source: 'extension', enabled: true, settings: { key: 'v' } };
    expect(read({ context_servers: { a: settings } })).toEqual({
      frame: {},
      servers: [],
      problems: [
        {
          path: ['context_servers', 'a', 'command'],
          server: 'a',
          message: "Server 'a' has neither 'command' nor 'url': only a Zed extension could start it.",
          fix: 'Add the command that the extension runs, or leave the server to Zed.',
        },
      ],
    });
  });
});

describe('writing for Zed', () => {
  test.each<[string, object, McpServerDef, object]>([
    [
      'a program over an older entry',
      { source: 'custom', command: { path: 'y', args: [] }, settings: {}, remote: true },
      { transport: 'stdio', command: 'x', args: ['a'], tool_timeout_ms: 1500, enabled: true },
      { command: 'x', args: ['a'], enabled: true, timeout: 2, source: 'custom', settings: {}, remote: true },
    ],
    [
      "a program over an extension's entry",
      { source: 'extension', enabled: false, settings: { key: 'v' } },
      { transport: 'stdio', command: 'x' },
      { command: 'x' },
    ],
    [
      'a remote server',
      {},
      { transport: 'http', url: 'https://a.example.com', oauth: { client_id: 'a', scope: 'read' } },
      { url: 'https://a.example.com', oauth: { client_id: 'a' } },
    ],
  ])('%s', (_title, old, definition, value) => {
    const written = write({ context_servers: { x: old } }, definition);
    expect(written).toEqual({ edits: [{ path: ['context_servers', 'x'], value }], leftOut: [] });
  });

  test.each<[string, McpServerDef]>([
    ['it cannot speak SSE', { transport: 'sse', url: 'https://a.example.com' }],
    [
      `it has no way to write \${TOKEN}`,
      { transport: 'http', url: 'https://a.example.com', bearer_token_env_var: 'TOKEN' },
    ],
    ['it cannot start a program in another directory', { transport: 'stdio', command: 'x', cwd: '/y' }],
  ])('leaves a server out, because %s', (because, definition) => {
    expect(write({}, definition)).toEqual({ edits: [], leftOut: [{ id: 'x', because }] });
  });
});

test.each([
  ['linux', {}, '/home/me/.config/zed/settings.json'],
  ['linux', { XDG_CONFIG_HOME: '/conf' }, '/conf/zed/settings.json'],
  ['darwin', {}, '/home/me/.config/zed/settings.json'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Zed/settings.json'],
] as const)('its files on %s with %o', (platform, env, path) => {
  const from = { cwd: '/project', home: '/home/me', env, platform, policyDirectory: '/etc/junctor' };
  expect(zed.files?.(from)).toEqual([
    { scope: 'user', path },
    { scope: 'project', path: '/project/.zed/settings.json' },
  ]);
});
