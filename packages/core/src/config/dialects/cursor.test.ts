import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { McpServerDef } from '../schema/server-schema.ts';
import { cursor } from './cursor.ts';

const PROJECT_FILE = '/code/project/.cursor/mcp.json';
const SAMPLE: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'samples/cursor/with-junctor.json'), 'utf8'));
const write = (value: unknown, definition: McpServerDef) => cursor.write?.(value, [{ id: 'x', definition }]);

function said(value: unknown, file: string = PROJECT_FILE): Record<string, unknown> {
  const { servers } = cursor.read(value, { file, home: '/home/me' });
  return Object.fromEntries(servers.map(({ id, definition }) => [id, definition]));
}

describe('a file of Cursor', () => {
  promise('1.4i', 'loads as it stands', () => {
    expect(said(SAMPLE)).toEqual({
      junctor: {
        transport: 'http',
        url: 'http://127.0.0.1:7717/mcp/cursor',
        headers: { Authorization: `Bearer \${JUNCTOR_TOKEN}` },
      },
      old: { transport: 'sse', url: 'https://hub.example.com/mcp/sse' },
      signed: {
        transport: 'http',
        url: 'https://signed.example.com/mcp',
        oauth: { client_id: 'our-client', client_secret: `\${CLIENT_SECRET}`, scope: 'read write' },
      },
      loc: {
        transport: 'stdio',
        command: 'npx',
        args: ['-y', 'pkg', '/code/project', '/home/me/notes', `$\${NOT_EXPANDED}`],
        env: { K: `\${K}`, PROJECT: 'project' },
      },
    });
  });

  test("the person's own file knows no workspace: that stays a variable, and is never the home directory", () => {
    const value = { mcpServers: { fs: { command: 'fs', args: [`\${workspaceFolder}`] } } };
    const file = '/home/me/.cursor/mcp.json';
    expect(said(value, file)).toEqual({ fs: { transport: 'stdio', command: 'fs', args: [`\${workspaceFolder}`] } });
    const definition = said(value, file).fs as McpServerDef;
    const entry = { command: 'fs', args: [`\${workspaceFolder}`] };
    expect(write({}, definition)?.edits).toEqual([{ path: ['mcpServers', 'x'], value: entry }]);
  });
});

describe('writing for Cursor', () => {
  test('in its own words, and what only it knows stays', () => {
    const old = { url: 'https://a.example.com', auth: { CLIENT_ID: 'a', theirs: 1 }, envFile: '.env' };
    const definition: McpServerDef = {
      transport: 'sse',
      url: `https://\${HOST}/sse`,
      headers: { 'X-Key': `\${KEY}` },
      oauth: { client_id: 'b', scope: 'read write' },
    };
    const value = {
      type: 'sse',
      url: `https://\${env:HOST}/sse`,
      headers: { 'X-Key': `\${env:KEY}` },
      auth: { theirs: 1, CLIENT_ID: 'b', scopes: ['read', 'write'] },
      envFile: '.env',
    };
    expect(write({ mcpServers: { x: old } }, definition)).toEqual({
      edits: [{ path: ['mcpServers', 'x'], value }],
      leftOut: [],
    });
  });

  test.each<[string, McpServerDef]>([
    ['it cannot speak WebSocket', { transport: 'ws', url: 'wss://a.example.com' }],
    ['it cannot start a program in another directory', { transport: 'stdio', command: 'x', cwd: '/y' }],
    [`it has no way to write \${K:-d}`, { transport: 'stdio', command: 'x', env: { K: `\${K:-d}` } }],
    ['its file cannot keep a server switched off', { transport: 'stdio', command: 'x', enabled: false }],
  ])('leaves a server out, because %s', (because, definition) => {
    expect(write({}, definition)).toEqual({ edits: [], leftOut: [{ id: 'x', because }] });
  });
});

test('its files lie in the home directory and in the project', () => {
  const from = {
    cwd: '/project',
    home: '/home/me',
    env: {},
    platform: 'linux',
    policyDirectory: '/etc/junctor',
  } as const;
  expect(cursor.files?.(from)).toEqual([
    { scope: 'user', path: '/home/me/.cursor/mcp.json' },
    { scope: 'project', path: '/project/.cursor/mcp.json' },
  ]);
});
