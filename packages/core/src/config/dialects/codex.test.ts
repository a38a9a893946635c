import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { loadFormat } from '../formats/format.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { codex } from './codex.ts';

const FILE = '/home/me/.codex/config.toml';
const read = (value: unknown) => codex.read(value, { file: FILE, home: '/home/me' });
const said = (value: unknown) => Object.fromEntries(read(value).servers.map(({ id, definition }) => [id, definition]));
const write = (value: unknown, id: string, definition: McpServerDef) => codex.write?.(value, [{ id, definition }]);

async function sample(name: string): Promise<unknown> {
  const text = readFileSync(join(import.meta.dirname, 'samples/codex', name), 'utf8');
  const result = (await loadFormat('toml')).read(FILE, text);
  return result.ok ? result.document.value : undefined;
}

describe('a file of Codex', () => {
  promise('1.4h', 'loads as it stands; nothing in it is expanded', async () => {
    expect(said(await sample('hub.toml'))).toEqual({
      hub: {
        transport: 'http',
        url: 'https://hub.example.com/mcp',
        bearer_token_env_var: 'HUB_TOKEN',
        connect_timeout_ms: 10000,
        tool_timeout_ms: 60000,
        enabled: true,
      },
      loc: { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: 'v' }, cwd: '/abs/dir' },
    });
    expect(said(await sample('with-junctor.toml'))).toEqual({
      junctor: { transport: 'http', url: 'http://127.0.0.1:7717/mcp/codex', bearer_token_env_var: 'JUNCTOR_TOKEN' },
      search: {
        transport: 'http',
        url: 'https://search.example.com/mcp',
        headers: { 'X-Region': 'eu', 'X-Key': `\${SEARCH_KEY}` },
        oauth: { client_id: 'codex-client', scope: 'read write' },
        connect_timeout_ms: 1100,
        tools: { allow: ['find', 'open'], deny: ['wipe'] },
      },
      local: {
        transport: 'stdio',
        command: 'server',
        args: ['--template', `$\${NOT_EXPANDED}`],
        env: { MODE: 'fast', API_KEY: `\${API_KEY}` },
        enabled: false,
        connect_timeout_ms: 20000,
      },
    });
  });

  test("a project may switch one of the person's servers off, and say no more", () => {
    expect(said({ mcp_servers: { hub: { enabled: false } } })).toEqual({ hub: { enabled: false } });
  });

  test.each<[string, object, string, string]>([
    [
      'command and url',
      { command: 'x', url: 'https://a.example.com' },
      "Server 'a' has 'command' and 'url': Codex does not start with that.",
      'url',
    ],
    ['neither', { args: [] }, "Server 'a' has neither 'command' nor 'url': Codex does not start with that.", 'command'],
    [
      'a token',
      { url: 'https://a.example.com', bearer_token: 'secret' },
      "Server 'a' has a 'bearer_token': Codex does not start with that.",
      'bearer_token',
    ],
    [
      'headers for a program',
      { command: 'x', http_headers: {} },
      "Server 'a' has 'http_headers' beside 'command': Codex does not start with that.",
      'http_headers',
    ],
    [
      'a directory for a url',
      { url: 'https://a.example.com', cwd: '/' },
      "Server 'a' has 'cwd' beside 'url': Codex does not start with that.",
      'cwd',
    ],
    [
      'a token instead of its name',
      { url: 'https://a.example.com', bearer_token_env_var: 'sk-123' },
      "'bearer_token_env_var' of server 'a' holds something that cannot be the name of a variable.",
      'bearer_token_env_var',
    ],
  ])('%s cannot be used, and the problem repeats no secret', (_title, entry, message, key) => {
    const { servers, problems } = read({ mcp_servers: { a: entry } });
    expect(servers).toEqual([]);
    expect(problems).toEqual([{ path: ['mcp_servers', 'a', key], server: 'a', message, fix: expect.any(String) }]);
  });
});

describe('writing for Codex', () => {
  test.each<[string, McpServerDef, object]>([
    [
      'search',
      {
        transport: 'http',
        url: 'https://search.example.com/mcp',
        headers: { Authorization: `Bearer \${TOKEN}`, 'X-Key': `\${KEY}`, 'X-Region': 'eu', 'X-Text': `$\${a}` },
        oauth: { client_id: 'b', scope: 'read' },
        connect_timeout_ms: 1500,
      },
      {
        url: 'https://search.example.com/mcp',
        bearer_token_env_var: 'TOKEN',
        http_headers: { 'X-Region': 'eu', 'X-Text': `\${a}` },
        env_http_headers: { 'X-Key': 'KEY' },
        oauth: { client_id: 'b' },
        scopes: ['read'],
        startup_timeout_sec: 1.5,
        oauth_resource: 'https://search.example.com',
        tools: { find: { approval_mode: 'approve' } },
      },
    ],
    ['search', { transport: 'stdio', command: 'x' }, { command: 'x', tools: { find: { approval_mode: 'approve' } } }],
    [
      'local',
      { transport: 'stdio', command: 'x', env: { A: 'b', KEY: `\${KEY}` }, tool_timeout_ms: 5000, enabled: true },
      {
        command: 'x',
        env: { A: 'b' },
        env_vars: [{ name: 'ELSEWHERE', source: 'remote' }, 'KEY'],
        enabled: true,
        tool_timeout_sec: 5,
        default_tools_approval_mode: 'prompt',
      },
    ],
    [
      'local',
      { transport: 'streamable_http', url: 'https://a.example.com', tools: { allow: ['a'], deny: ['b'] } },
      {
        url: 'https://a.example.com',
        enabled_tools: ['a'],
        disabled_tools: ['b'],
        default_tools_approval_mode: 'prompt',
      },
    ],
  ])('in its own words, and what only it knows stays: %s', async (id, definition, value) => {
    const written = write(await sample('with-junctor.toml'), id, definition);
    expect(written).toEqual({ edits: [{ path: ['mcp_servers', id], value }], leftOut: [] });
  });

  test.each<[string, McpServerDef]>([
    ['it cannot speak SSE', { transport: 'sse', url: 'https://a.example.com' }],
    ['it cannot speak WebSocket', { transport: 'ws', url: 'wss://a.example.com' }],
    [
      'it cannot start the program that serves a url',
      { transport: 'http', url: 'https://a.example.com', command: 'x' },
    ],
    [`it has no way to write \${B}`, { transport: 'stdio', command: 'x', env: { A: `\${B}` } }],
    [`it has no way to write \${A:-d}`, { transport: 'stdio', command: 'x', env: { A: `\${A:-d}` } }],
    [`it has no way to write \${A}`, { transport: 'stdio', command: 'x', args: [`\${A}`] }],
    [
      `it has no way to write \${A}`,
      { transport: 'http', url: 'https://a.example.com', headers: { 'X-Key': `Token \${A}` } },
    ],
    [`it has no way to write \${secret:A}`, { transport: 'stdio', command: 'x', env: { A: `\${secret:A}` } }],
  ])('leaves a server out, because %s', (because, definition) => {
    expect(write({}, 'x', definition)).toEqual({ edits: [], leftOut: [{ id: 'x', because }] });
  });
});

test('its files follow CODEX_HOME', () => {
  const from = { cwd: '/project', home: '/home/me', platform: 'linux', policyDirectory: '/etc/junctor' } as const;
  const project = { scope: 'project', path: '/project/.codex/config.toml' };
  expect(codex.files?.({ ...from, env: {} })).toEqual([{ scope: 'user', path: FILE }, project]);
  expect(codex.files?.({ ...from, env: { CODEX_HOME: '/other' } })).toEqual([
    { scope: 'user', path: '/other/config.toml' },
    project,
  ]);
});
