import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { McpServerDef } from '../schema/server-schema.ts';
import { kimi } from './kimi.ts';

const read = (value: unknown) => kimi.read(value, { file: '/home/me/.kimi-code/mcp.json', home: '/home/me' });
const write = (value: unknown, id: string, definition: McpServerDef) => kimi.write?.(value, [{ id, definition }]);
const sample = JSON.parse(readFileSync(join(import.meta.dirname, 'samples', 'kimi', 'mcp.json'), 'utf8'));

promise('1.4t', 'a Kimi file loads as it stands, transports inferred', () => {
  const { servers, problems } = read(sample);
  expect(problems).toEqual([]);
  expect(Object.fromEntries(servers.map(({ id, definition }) => [id, definition]))).toEqual({
    hub: {
      transport: 'http',
      url: 'https://hub.example.com/mcp',
      headers: { 'X-Team': 'a' },
      bearer_token_env_var: 'HUB_TOKEN',
      connect_timeout_ms: 20000,
      tool_timeout_ms: 60000,
      tools: { allow: ['read', 'write'], deny: ['write'] },
    },
    signed: { transport: 'http', url: 'https://signed.example.com/mcp' },
    old: { transport: 'sse', url: 'https://old.example.com/sse', enabled: false },
    loc: { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: 'costs $${MORE}' }, cwd: '.' },
  });
});

describe('writing for Kimi', () => {
  test('names the variable of a bearer token, whether a key or a header says it', () => {
    const headers = { authorization: 'Bearer ${T}', 'X-Team': 'a' };
    expect(write({}, 'a', { transport: 'http', url: 'https://a.example.com', headers })?.edits[0]?.value).toEqual({
      transport: 'http',
      url: 'https://a.example.com',
      headers: { 'X-Team': 'a' },
      bearerTokenEnvVar: 'T',
    });
    const named: McpServerDef = { transport: 'sse', url: 'https://a.example.com', bearer_token_env_var: 'T' };
    expect(write({}, 'a', named)?.edits[0]?.value).toEqual({
      transport: 'sse',
      url: 'https://a.example.com',
      bearerTokenEnvVar: 'T',
    });
  });

  test('keeps what only Kimi knows, and drops what the definition no longer says', () => {
    expect(write(sample, 'signed', { transport: 'http', url: 'https://b.example.com' })?.edits[0]?.value).toEqual({
      transport: 'http',
      url: 'https://b.example.com',
      auth: 'oauth',
    });
    expect(write(sample, 'hub', { transport: 'stdio', command: 'a' })?.edits[0]?.value).toEqual({
      transport: 'stdio',
      command: 'a',
    });
  });

  test.each<[McpServerDef, string]>([
    [{ transport: 'ws', url: 'wss://a.example.com' }, 'it cannot speak WebSocket'],
    [{ transport: 'http', url: 'https://a.example.com', headers: { 'X-Key': '${K}' } }, 'it has no way to write ${K}'],
    [
      { transport: 'http', url: 'https://a.example.com', auth_provider: 'p' },
      'only an embedding program can sign in there',
    ],
    [{ transport: 'stdio', command: 'a', env: { K: '${K}' } }, 'it has no way to write ${K}'],
    [
      { transport: 'stdio', command: 'a', tools: { deny: ['x?'] } },
      'its lists take names of tools, and x? is a pattern',
    ],
  ])('leaves out what it cannot say: %j', (definition, because) => {
    expect(write({}, 'a', definition)).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
  });
});

test('Kimi keeps its files where its variable says', () => {
  const from = { home: '/home/me', cwd: '/project', platform: 'linux' as const, policyDirectory: '/etc/junctor' };
  expect(kimi.files?.({ ...from, env: {} })).toEqual([
    { scope: 'user', path: '/home/me/.kimi-code/mcp.json' },
    { scope: 'project', path: '/project/.kimi-code/mcp.json' },
  ]);
  expect(kimi.files?.({ ...from, env: { KIMI_CODE_HOME: '/k' } })[0]?.path).toBe('/k/mcp.json');
});
