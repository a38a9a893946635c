import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { loadFormat } from '../formats/format.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { goose } from './goose.ts';

const read = (value: unknown) => goose.read(value, { file: '/home/me/.config/goose/config.yaml', home: '/home/me' });
const write = (value: unknown, id: string, definition: McpServerDef) => goose.write?.(value, [{ id, definition }]);
const file = join(import.meta.dirname, 'samples', 'goose', 'config.yaml');
const result = (await loadFormat('yaml')).read(file, readFileSync(file, 'utf8'));
const sample = result.ok ? result.document.value : undefined;

promise('1.4s', 'a Goose file loads as it stands, its own parts left aside', () => {
  const { servers, problems } = read(sample);
  expect(problems).toEqual([]);
  expect(Object.fromEntries(servers.map(({ id, definition }) => [id, definition]))).toEqual({
    hub: {
      transport: 'streamable_http',
      url: 'https://hub.example.com/mcp',
      headers: { Authorization: 'Bearer ${HUB_TOKEN}', 'X-Team': 'blue', 'X-Text': 'costs $MORE' },
      enabled: true,
      tool_timeout_ms: 300000,
    },
    loc: {
      transport: 'stdio',
      command: 'npx',
      args: ['-y', 'pkg'],
      env: { K: '${K}', MODE: '$${literally}' },
      enabled: false,
      tool_timeout_ms: 60000,
      tools: { allow: ['read'] },
    },
    old: { transport: 'sse', url: 'https://old.example.com/sse', enabled: true },
  });
});

describe('writing for Goose', () => {
  test('says all that Goose wants to be told', () => {
    expect(write({}, 'a', { transport: 'stdio', command: 'a' })?.edits).toEqual([
      {
        path: ['extensions', 'a'],
        value: { type: 'stdio', name: 'a', cmd: 'a', args: [], envs: {}, env_keys: [], enabled: true },
      },
    ]);
  });

  test('names the variables it is to look up', () => {
    const definition: McpServerDef = {
      transport: 'http',
      url: 'https://${HOST}/mcp',
      headers: { 'X-Key': '${KEY}', 'X-Host': '${HOST}' },
      bearer_token_env_var: 'TOKEN',
    };
    expect(write({}, 'a', definition)?.edits[0]?.value).toEqual({
      type: 'streamable_http',
      name: 'a',
      uri: 'https://${HOST}/mcp',
      headers: { 'X-Key': '${KEY}', 'X-Host': '${HOST}', Authorization: 'Bearer ${TOKEN}' },
      env_keys: ['HOST', 'KEY', 'TOKEN'],
      enabled: true,
    });
    const env = { K: '${K}', MODE: 'fast' };
    expect(write({}, 'b', { transport: 'stdio', command: 'b', env, tool_timeout_ms: 1 })?.edits[0]?.value).toEqual({
      type: 'stdio',
      name: 'b',
      cmd: 'b',
      args: [],
      envs: { MODE: 'fast' },
      env_keys: ['K'],
      enabled: true,
      timeout: 1,
    });
  });

  test('keeps what only Goose knows, and drops what the definition no longer says', () => {
    expect(write(sample, 'hub', { transport: 'http', url: 'https://new.example.com' })?.edits[0]?.value).toEqual({
      type: 'streamable_http',
      name: 'Hub',
      description: 'Everything through one door',
      uri: 'https://new.example.com',
      env_keys: [],
      enabled: true,
      bundled: null,
    });
  });

  test.each<[McpServerDef, string]>([
    [{ transport: 'sse', url: 'https://a.example.com' }, 'it cannot speak SSE'],
    [{ transport: 'stdio', command: 'a', cwd: '/' }, 'it cannot start a program in another directory'],
    [{ transport: 'stdio', command: 'a', args: ['${X}'] }, 'it has no way to write ${X}'],
    [{ transport: 'stdio', command: 'a', env: { K: '${OTHER}' } }, 'it has no way to write ${OTHER}'],
    [{ transport: 'stdio', command: 'a', env: { PATH: '/bin' } }, 'it refuses to set PATH'],
    [{ transport: 'stdio', command: 'a', tools: { allow: [] } }, 'it takes an empty list of tools for all of them'],
    [{ transport: 'stdio', command: 'a', tools: { deny: ['x'] } }, 'it cannot keep single tools away'],
    [{ transport: 'http', url: 'https://a.example.com', headers: { A: '${A:-b}' } }, 'it has no way to write ${A:-b}'],
  ])('leaves out what it cannot say: %j', (definition, because) => {
    expect(write({}, 'a', definition)).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
  });
});

test.each([
  ['linux', {}, '/home/me/.config/goose/config.yaml'],
  ['darwin', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/goose/config.yaml'],
  ['win32', { APPDATA: '/appdata' }, '/appdata/Block/goose/config/config.yaml'],
  ['linux', { GOOSE_PATH_ROOT: '/root' }, '/root/config/config.yaml'],
] as const)('Goose keeps its file where its variables say: %s %j', (platform, env, path) => {
  expect(goose.files?.({ home: '/home/me', cwd: '/project', env, platform, policyDirectory: '/etc/junctor' })).toEqual([
    { scope: 'user', path },
  ]);
});

test('Goose is known by its entries in a file of any name', () => {
  expect(goose.recognise('/any/where.yaml', sample)).toBe(true);
  expect(goose.recognise('/any/where.yaml', { extensions: { a: { type: 'theme' } } })).toBe(false);
});
