import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { jsonFormat } from '../formats/json/json.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { vscode } from './vscode.ts';

const WORKSPACE_FILE = '/code/project/.vscode/mcp.json';
const TEXT = readFileSync(join(import.meta.dirname, 'samples/vscode/with-junctor.json'), 'utf8');
const read = (value: unknown, file: string = WORKSPACE_FILE) => vscode.read(value, { file, home: '/home/me' });
const write = (value: unknown, definition: McpServerDef) => vscode.write?.(value, [{ id: 'x', definition }]);

function parsed(text: string): unknown {
  const result = jsonFormat.read(WORKSPACE_FILE, text);
  return result.ok ? result.document.value : undefined;
}

function said(value: unknown, file?: string): Record<string, McpServerDef> {
  return Object.fromEntries(read(value, file).servers.map(({ id, definition }) => [id, definition as McpServerDef]));
}

describe('a file of VS Code', () => {
  promise('1.4u', 'loads as it stands; what it would ask for is a variable that nobody has set', () => {
    expect(said(parsed(TEXT))).toEqual({
      junctor: {
        transport: 'http',
        url: 'http://127.0.0.1:7717/mcp/vscode',
        headers: { Authorization: `Bearer \${JUNCTOR_TOKEN}`, 'X-Key': `\${INPUT_api_key}` },
        oauth: { client_id: 'our-client' },
      },
      old: { transport: 'sse', url: 'https://hub.example.com/mcp/sse' },
      loc: {
        transport: 'stdio',
        command: 'npx',
        args: ['-y', 'pkg', '/code/project/data', '/home/me', `$\${NOT_EXPANDED}`],
        cwd: '/code/project',
        env: { KEY: `\${INPUT_api_key}`, PORT: '8080' },
      },
    });
  });

  test('a profile belongs to no workspace', () => {
    const value = { servers: { fs: { type: 'stdio', command: 'fs', args: [`\${workspaceFolder}`, `\${/}tmp`] } } };
    const file = '/home/me/.config/Code/User/mcp.json';
    expect(said(value, file)).toEqual({
      fs: { transport: 'stdio', command: 'fs', args: [`\${workspaceFolder}`, '/tmp'] },
    });
  });

  test('a type may be missing', () => {
    const servers = { remote: { url: 'https://a.example.com' }, local: { command: 'x' } };
    expect(said({ servers })).toEqual({
      remote: { transport: 'http', url: 'https://a.example.com' },
      local: { transport: 'stdio', command: 'x' },
    });
  });

  test('what only the editor can know is a problem of that server', () => {
    const servers = { odd: { command: 'x', args: [`\${command:pick.port}`] }, fine: { command: 'y' } };
    expect(Object.keys(said({ servers }))).toEqual(['fine']);
    expect(read({ servers }).problems).toEqual([
      {
        path: ['servers', 'odd', 'command'],
        server: 'odd',
        message: `Only VS Code itself knows \${command:pick.port}, which server 'odd' needs.`,
        fix: `Write the text itself, or \${env:NAME}.`,
      },
    ]);
  });

  test("servers under everybody else's key are not overlooked in silence", () => {
    expect(read({ mcpServers: { a: { command: 'x' } } }).problems).toEqual([
      {
        path: ['mcpServers'],
        message: "VS Code reads 'servers', and ignores 'mcpServers'.",
        expected: 'servers',
        fix: "Rename it to 'servers'.",
      },
    ]);
  });
});

describe('writing for VS Code', () => {
  test('inputs stay inputs, and comments, order and what only it knows stay too', () => {
    const value = parsed(TEXT);
    const changes = Object.entries(said(value)).map(([id, definition]) => ({ id, definition }));
    const { edits = [], leftOut } = vscode.write?.(value, changes) ?? {};
    expect(leftOut).toEqual([]);
    const after = jsonFormat.edit(TEXT, edits);
    expect(after).toContain('// What VS Code asks for once, and keeps safe.');
    const { inputs, servers } = value as { inputs: unknown; servers: Record<string, object> };
    expect(parsed(after)).toEqual({
      inputs,
      servers: {
        ...servers,
        loc: {
          ...servers.loc,
          args: ['-y', 'pkg', '/code/project/data', '/home/me', `\${NOT_EXPANDED}`],
          cwd: '/code/project',
          env: { KEY: `\${input:api-key}`, PORT: '8080' },
        },
      },
    });
  });

  test('the transport is always said', () => {
    expect(write({}, { transport: 'streamable_http', url: 'https://a.example.com' })?.edits).toEqual([
      { path: ['servers', 'x'], value: { type: 'http', url: 'https://a.example.com' } },
    ]);
    expect(write({}, { transport: 'stdio', command: 'x', env: { INPUT_a: `\${INPUT_a}` } })?.edits).toEqual([
      { path: ['servers', 'x'], value: { type: 'stdio', command: 'x', env: { INPUT_a: `\${env:INPUT_a}` } } },
    ]);
  });

  test.each<[string, McpServerDef]>([
    ['it cannot speak WebSocket', { transport: 'ws', url: 'wss://a.example.com' }],
    [`it has no way to write \${secret:K}`, { transport: 'stdio', command: 'x', env: { K: `\${secret:K}` } }],
    ['a text that looks like a variable', { transport: 'stdio', command: 'x', env: { K: `$\${env:K}` } }],
    ['its file cannot keep a server switched off', { transport: 'stdio', command: 'x', enabled: false }],
  ])('leaves a server out: %s', (because, definition) => {
    const { edits, leftOut } = write({}, definition) ?? {};
    expect(edits).toEqual([]);
    expect(leftOut?.[0]?.because).toContain(because);
  });
});

test.each([
  ['linux', {}, '/home/me/.config/Code/User/mcp.json'],
  ['linux', { XDG_CONFIG_HOME: '/conf' }, '/conf/Code/User/mcp.json'],
  ['darwin', {}, '/home/me/Library/Application Support/Code/User/mcp.json'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Code/User/mcp.json'],
] as const)('its files on %s with %o', (platform, env, path) => {
  const from = { cwd: '/project', home: '/home/me', env, platform, policyDirectory: '/etc/junctor' };
  expect(vscode.files?.(from)).toEqual([
    { scope: 'user', path },
    { scope: 'project', path: '/project/.vscode/mcp.json' },
  ]);
});
