import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { McpServerDef } from '../schema/server-schema.ts';
import { claudeDesktop } from './claude-desktop.ts';

const read = (value: unknown) => claudeDesktop.read(value, { file: '/x/claude_desktop_config.json', home: '/home/me' });
const write = (value: unknown, definition: McpServerDef) => claudeDesktop.write?.(value, [{ id: 'x', definition }]);

describe('a file of Claude Desktop', () => {
  promise('1.4x', 'loads as it stands, every text taken literally', () => {
    const text = readFileSync(join(import.meta.dirname, 'samples/claude-desktop/with-junctor.json'), 'utf8');
    const { servers, problems } = read(JSON.parse(text));
    expect(problems).toEqual([]);
    expect(Object.fromEntries(servers.map(({ id, definition }) => [id, definition]))).toEqual({
      junctor: { transport: 'stdio', command: '/usr/local/bin/junctor', args: ['connect', 'claude-desktop'] },
      loc: {
        transport: 'stdio',
        command: '/usr/bin/npx',
        args: ['-y', 'pkg'],
        env: { K: 'v', LITERAL: `$\${NOT_EXPANDED}` },
      },
      bridged: { transport: 'stdio', command: 'npx', args: ['mcp-remote', 'https://hub.example.com/mcp'] },
    });
  });

  test('a remote server in it is a problem, since the program would not use it', () => {
    const { servers, problems } = read({ mcpServers: { hub: { type: 'http', url: 'https://hub.example.com/mcp' } } });
    expect(servers).toEqual([]);
    expect(problems).toEqual([
      {
        path: ['mcpServers', 'hub', 'url'],
        server: 'hub',
        message: "Claude Desktop takes no remote servers from this file, so it ignores 'hub'.",
        expected: "'command'",
        fix: 'Add it on the Connectors page of its settings, or start a bridge to it with command and args.',
      },
    ]);
  });
});

describe('writing for Claude Desktop', () => {
  test('a program, with literal texts', () => {
    const definition = { transport: 'stdio', command: 'x', args: ['a'], env: { K: `$\${literal}` } } as const;
    const old = { mcpServers: { x: { command: 'y', env: { OLD: '1' }, theirs: true } } };
    expect(write(old, { ...definition, args: ['a'] })).toEqual({
      edits: [
        { path: ['mcpServers', 'x'], value: { command: 'x', args: ['a'], env: { K: `\${literal}` }, theirs: true } },
      ],
      leftOut: [],
    });
  });

  test.each<[string, McpServerDef]>([
    ['it takes remote servers only on its Connectors page', { transport: 'http', url: 'https://a.example.com' }],
    [`it has no way to write \${TOKEN}`, { transport: 'stdio', command: 'x', env: { K: `sk-123-\${TOKEN}` } }],
    [`it has no way to write \${secret:TOKEN}`, { transport: 'stdio', command: 'x', args: [`\${secret:TOKEN}`] }],
    ['its file cannot keep a server switched off', { transport: 'stdio', command: 'x', enabled: false }],
    ['it cannot keep single tools away', { transport: 'stdio', command: 'x', tools: { deny: ['a'] } }],
  ])('leaves a server out, because %s', (because, definition) => {
    expect(write({}, definition)).toEqual({ edits: [], leftOut: [{ id: 'x', because }] });
  });
});

test.each([
  ['linux', {}, '/home/me/.config/Claude/claude_desktop_config.json'],
  ['linux', { XDG_CONFIG_HOME: '/conf' }, '/conf/Claude/claude_desktop_config.json'],
  ['darwin', {}, '/home/me/Library/Application Support/Claude/claude_desktop_config.json'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Claude/claude_desktop_config.json'],
  ['win32', {}, '/home/me/AppData/Roaming/Claude/claude_desktop_config.json'],
] as const)('its file on %s with %o', (platform, env, path) => {
  const from = { cwd: '/project', home: '/home/me', env, platform, policyDirectory: '/etc/junctor' };
  expect(claudeDesktop.files?.(from)).toEqual([{ scope: 'user', path }]);
});
