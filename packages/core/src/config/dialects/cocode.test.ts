import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { type McpServerDef, ServerDef } from '../schema/server-schema.ts';
import { cocode } from './cocode.ts';
import type { ServerChange } from './dialect.ts';
import { recognisedBy, trialOf } from './samples/trial.ts';

const FILE = '/project/.mcp.toml';
const trial = trialOf(cocode, FILE);
const { read, sample } = trial;
// Edits are the same in any notation; made here in JSON.
const inJson = (value: unknown): string => JSON.stringify(value, null, 2);
const write = (value: unknown, changes: readonly ServerChange[]): unknown =>
  JSON.parse(trial.write(inJson(value), changes));
const definitions = (value: unknown): object => trial.definitions(inJson(value));
const server = (entry: unknown): unknown => ({ mcp_servers: { x: entry } });

describe('a cocode file', () => {
  promise('1.4f', 'loads as the document prints it', async () => {
    const { file, value } = await sample('stdio-and-sse.toml');
    expect(recognisedBy(file, value)).toEqual(['cocode']);
    const { frame, servers, problems } = read(value);
    expect({ frame, problems }).toEqual({ frame: {}, problems: [] });
    expect(Object.fromEntries(servers.map(one => [one.id, ServerDef.parse(one.definition)]))).toEqual({
      weather: {
        transport: 'stdio',
        command: 'python',
        args: ['-m', 'weather_server'],
        env: { API_KEY: '...' },
        enabled: true,
        connect_timeout_ms: 10_000,
        tool_timeout_ms: 60_000,
        tools: { allow: ['get_forecast'], deny: [] },
      },
      api_server: {
        transport: 'sse',
        url: 'https://api.example.com/mcp',
        headers: { Authorization: 'Bearer ...' },
      },
    });
  });

  test('may name the variable of a token, and variables anywhere', () => {
    const entry = {
      transport: 'ws',
      url: 'wss://${HOST}/mcp',
      bearer_token_env_var: 'API_TOKEN',
      tool_timeout_sec: 1.5,
    };
    expect(ServerDef.parse(read(server(entry)).servers[0]?.definition)).toEqual({
      transport: 'ws',
      url: 'wss://${HOST}/mcp',
      bearer_token_env_var: 'API_TOKEN',
      tool_timeout_ms: 1500,
    });
  });

  test('is known by its place, and elsewhere by its words', () => {
    for (const file of [FILE, '/p/.cocode.local.toml', '/home/me/.config/cocode/mcp.toml']) {
      expect(recognisedBy(file, { model: 'some' })).toEqual(['cocode']);
    }
    expect(recognisedBy('/x.toml', server({ program: 'a' }))).toEqual(['cocode']);
    // Codex and Grok have the same section, and neither of these words.
    expect(recognisedBy('/x.toml', server({ command: 'a' }))).toEqual([]);
    expect(recognisedBy('/x.toml', server({ url: 'https://a.test' }))).toEqual([]);
    expect(recognisedBy('/home/me/.codex/config.toml', server({ transport: 'stdio', command: 'a' }))).toEqual([]);
  });

  test('knows where each key stands', () => {
    const [one] = read(server({ transport: 'stdio', disabled_tools: ['a'] })).servers;
    expect(one?.at).toMatchObject({
      command: ['mcp_servers', 'x', 'program'],
      connect_timeout_ms: ['mcp_servers', 'x', 'startup_timeout_sec'],
      'tools.deny': ['mcp_servers', 'x', 'disabled_tools'],
    });
  });

  test('that is wrong says so and never crashes', () => {
    const wrong: [object, string, string][] = [
      [{ transport: 'stdio', command: 'a' }, 'command', "Did you mean 'program'?"],
      [{ transport: 'stdio', programm: 'a' }, 'programm', "Did you mean 'program'?"],
      [{ transport: 'stdio', includeTools: [] }, 'includeTools', "Did you mean 'enabled_tools'?"],
    ];
    for (const [entry, key, fix] of wrong) {
      const message = `Unknown key '${key}' in server 'x'.`;
      const path = ['mcp_servers', 'x', key];
      expect(read(server(entry)).problems).toEqual([expect.objectContaining({ path, server: 'x', message, fix })]);
    }
    const late = { transport: 'stdio', program: 'a', tool_timeout_sec: 'late' };
    for (const entry of [{ transport: 'stdio' }, { program: 'a' }, late, {}, 7, [], 'stdio']) {
      const [only] = read(server(entry)).servers;
      expect(ServerDef.safeParse(only?.definition).success).toBe(false);
    }
    expect(read({ mcp_server: {}, model: 'some' }).problems.map(({ path, fix }) => [path, fix])).toEqual([
      [['mcp_server'], "Did you mean 'mcp_servers'?"],
    ]);
    expect(read({ mcp_servers: 1 }).problems.map(one => one.message)).toEqual(["'mcp_servers' is not an object."]);
    for (const value of [undefined, null, [], 'x', 1, {}]) expect(read(value).servers).toEqual([]);
  });
});

describe('writing a cocode file', () => {
  test('adds, changes and removes servers, and touches nothing else', async () => {
    const { value } = await sample('stdio-and-sse.toml');
    const added: McpServerDef = {
      transport: 'ws',
      url: 'wss://new.test/${X}',
      headers: { A: 'b' },
      bearer_token_env_var: 'TOKEN',
      enabled: false,
      connect_timeout_ms: 5000,
      tool_timeout_ms: 60_000,
      tools: { allow: ['a*'], deny: ['b'] },
    };
    const weather: McpServerDef = { transport: 'stdio', command: 'python3', args: ['-m', 'weather_server'] };
    const changes: ServerChange[] = [
      { id: 'added', definition: added },
      { id: 'weather', definition: weather },
      { id: 'api_server', definition: undefined },
    ];
    const { edits } = cocode.write?.(value, changes) ?? { edits: [] };
    expect(edits.map(edit => edit.path.join('.'))).toEqual([
      'mcp_servers.added',
      ...[
        'program',
        'env',
        'enabled',
        'startup_timeout_sec',
        'tool_timeout_sec',
        'enabled_tools',
        'disabled_tools',
      ].map(key => `mcp_servers.weather.${key}`),
      'mcp_servers.api_server',
    ]);
    expect(definitions(write(value, changes))).toEqual({ added, weather });
  });

  test('leaves out what it has no words for, with the reason', () => {
    const reasons: [McpServerDef, string][] = [
      [{ transport: 'stdio', command: 'a', cwd: '/' }, "it has no key for 'cwd'"],
      [{ transport: 'stdio', command: 'a', tool_timeout_ms: 1500 }, 'it counts its timeouts in whole seconds'],
      [{ transport: 'stdio', command: 'a', request_timeout_ms: 1000 }, "it has no key for 'request_timeout_ms'"],
    ];
    for (const [definition, because] of reasons) {
      expect(cocode.write?.({}, [{ id: 'a', definition }])).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
    }
    const definition: McpServerDef = { transport: 'streamable_http', url: 'https://a.test' };
    expect(write({}, [{ id: 'a', definition }])).toEqual({
      mcp_servers: { a: { transport: 'http', url: 'https://a.test' } },
    });
  });
});
