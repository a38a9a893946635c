import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { jsonFormat } from '../formats/json/json.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { claudeCode } from './claude-code.ts';

const read = (value: unknown) => claudeCode.read(value, { file: '/project/.mcp.json', home: '/home/me' });
const said = (value: unknown) => Object.fromEntries(read(value).servers.map(({ id, definition }) => [id, definition]));
const sample = (name: string): string => readFileSync(join(import.meta.dirname, 'samples/claude-code', name), 'utf8');
const write = (value: unknown, definition: McpServerDef) => claudeCode.write?.(value, [{ id: 'x', definition }]);

describe('a file of Claude Code', () => {
  promise('1.4g', 'loads as it stands', () => {
    expect(said(JSON.parse(sample('hub.json')))).toEqual({
      hub: {
        transport: 'http',
        url: 'https://hub.example.com/mcp',
        headers: { Authorization: `Bearer \${HUB_TOKEN}` },
        tool_timeout_ms: 60000,
      },
      loc: { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: `\${K:-dflt}` } },
      old: { transport: 'sse', url: 'https://hub.example.com/mcp/sse' },
    });
    expect(said(JSON.parse(sample('state.json')))).toEqual({
      junctor: {
        transport: 'streamable_http',
        url: 'http://127.0.0.1:7717/mcp/claude-code',
        headers: { Authorization: `Bearer \${JUNCTOR_TOKEN}` },
      },
      live: {
        transport: 'ws',
        url: 'wss://live.example.com/mcp',
        oauth: { client_id: `our-$\${client}`, scope: 'read write' },
      },
      local: {
        transport: 'stdio',
        command: 'node',
        args: ['server.js', '--home', `\${HOME}/$data`],
        tools: { deny: ['wipe'] },
      },
    });
  });

  test('a url without a type is ignored, as Claude Code ignores it, with the fix', () => {
    const { servers, problems } = read({ mcpServers: { hub: { url: 'https://hub.example.com/mcp' } } });
    expect(servers).toEqual([]);
    expect(problems).toEqual([
      {
        path: ['mcpServers', 'hub', 'type'],
        server: 'hub',
        message: "Claude Code ignores server 'hub': it has a 'url' but no 'type'.",
        expected: '"http", "sse" or "ws"',
        fix: 'Add "type": "http", or "type": "sse".',
      },
    ]);
  });

  test('keys of the other way to reach a server count for nothing', () => {
    const both = { command: 'x', args: ['a'], url: 'https://hub.example.com/mcp', headers: { A: 'b' } };
    expect(said({ mcpServers: { program: both, remote: { type: 'http', ...both } } })).toEqual({
      program: { transport: 'stdio', command: 'x', args: ['a'] },
      remote: { transport: 'http', url: 'https://hub.example.com/mcp', headers: { A: 'b' } },
    });
  });
});

describe('writing for Claude Code', () => {
  test('what only it knows stays, and so does everything around the servers', () => {
    const text = sample('state.json');
    const value = JSON.parse(text);
    const changes = Object.entries(said(value)).map(([id, definition]) => ({
      id,
      definition: definition as McpServerDef,
    }));
    const { edits = [] } = claudeCode.write?.(value, changes) ?? {};
    // The directory it pays no attention to is all that is lost.
    const { cwd: _cwd, ...local } = value.mcpServers.local;
    const expected = { ...value, mcpServers: { ...value.mcpServers, local: { type: 'stdio', ...local } } };
    expect(JSON.parse(jsonFormat.edit(text, edits))).toEqual(expected);
  });

  test('a definition that no longer says something takes it out of the file', () => {
    const old = { type: 'http', url: 'https://a.example.com', timeout: 5, oauth: { clientId: 'a', callbackPort: 1 } };
    const tools = [{ name: 'a', permission_policy: 'always_deny' }];
    const written = write({ mcpServers: { x: { ...old, tools } } }, { transport: 'stdio', command: 'b' });
    expect(written).toEqual({
      edits: [{ path: ['mcpServers', 'x'], value: { type: 'stdio', command: 'b' } }],
      leftOut: [],
    });
    const remote = write({ mcpServers: { x: { ...old, tools } } }, { transport: 'ws', url: 'wss://b.example.com' });
    const value = { type: 'ws', url: 'wss://b.example.com', oauth: { callbackPort: 1 } };
    expect(remote?.edits).toEqual([{ path: ['mcpServers', 'x'], value }]);
  });

  test('a token from a variable becomes a header', () => {
    const written = write({}, { transport: 'http', url: 'https://a.example.com', bearer_token_env_var: 'TOKEN' });
    const headers = { Authorization: `Bearer \${TOKEN}` };
    expect(written?.edits[0]?.value).toEqual({ type: 'http', url: 'https://a.example.com', headers });
  });

  test.each<[string, McpServerDef]>([
    ['it cannot start a program in another directory', { transport: 'stdio', command: 'x', cwd: '/y' }],
    ['its file cannot keep a server switched off', { transport: 'stdio', command: 'x', enabled: false }],
    ['it cannot limit a server to some tools', { transport: 'stdio', command: 'x', tools: { allow: ['a'] } }],
    [
      'its lists take names of tools, and a* is a pattern',
      { transport: 'stdio', command: 'x', tools: { deny: ['a*'] } },
    ],
    [`it has no way to write \${secret:KEY}`, { transport: 'stdio', command: 'x', env: { K: `abc-\${secret:KEY}` } }],
    [
      'it cannot start the program that serves a url',
      { transport: 'http', url: 'https://a.example.com', command: 'x' },
    ],
    [
      'only an embedding program can sign in there',
      { transport: 'http', url: 'https://a.example.com', auth_provider: 'p' },
    ],
  ])('leaves a server out, because %s', (because, definition) => {
    expect(write({}, definition)).toEqual({ edits: [], leftOut: [{ id: 'x', because }] });
  });

  test('a file whose servers are no object is left alone', () => {
    const because = "'mcpServers' in its file is no object that could hold servers";
    const written = write({ mcpServers: [] }, { transport: 'stdio', command: 'x' });
    expect(written).toEqual({ edits: [], leftOut: [{ id: 'x', because }] });
    expect(read({ mcpServers: [] }).problems).toHaveLength(1);
  });
});

test('its files follow CLAUDE_CONFIG_DIR', () => {
  const from = { cwd: '/project', home: '/home/me', platform: 'linux', policyDirectory: '/etc/junctor' } as const;
  const project = { scope: 'project', path: '/project/.mcp.json' };
  expect(claudeCode.files?.({ ...from, env: {} })).toEqual([{ scope: 'user', path: '/home/me/.claude.json' }, project]);
  expect(claudeCode.files?.({ ...from, env: { CLAUDE_CONFIG_DIR: 'conf' } })).toEqual([
    { scope: 'user', path: '/project/conf/.claude.json' },
    project,
  ]);
});

test('the servers of one folder are read for that folder, above those for all', () => {
  const value = {
    mcpServers: { both: { type: 'stdio', command: 'user' } },
    projects: {
      '/home/me/work': {
        mcpServers: { both: { type: 'stdio', command: 'local' }, one: { type: 'stdio', command: 'x' } },
      },
    },
  };
  const commands = (project?: string) =>
    claudeCode
      .read(value, { file: '/home/me/.claude.json', home: '/home/me', project })
      .servers.map(({ id, definition }) => [id, definition.command]);
  expect(commands('/home/me/work')).toEqual([
    ['both', 'local'],
    ['one', 'x'],
  ]);
  expect(commands('/elsewhere')).toEqual([['both', 'user']]);
});
