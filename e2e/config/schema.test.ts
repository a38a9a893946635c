import { openaiTools } from '@junctor/adapters/openai';
import { createHost, type Host, type McpConfigLoadResult, parseMcpConfig } from '@junctor/core';
import { junctor, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { changingServer } from '../connections/changing.ts';

const USER = 'config/junctor/config.json';
const stdio = { transport: 'stdio', command: 'x' };
const problemsOf = (config: object): string => {
  try {
    parseMcpConfig(config);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const server = (definition: object) => problemsOf({ servers: { x: definition } });

describe('what a config can say', () => {
  promise(['1.2a', '1.1a'], 'at file level is what the schema names, and nothing else', () => {
    const whole = {
      version: 1,
      enabled: true,
      defaults: { request_timeout_ms: 1, debug: true },
      servers: { x: stdio },
      bundles: { b: { serverId: 'x', mode: 'direct', allowTools: ['a'] } },
      agents: { codex: { enabled: true, servers: ['x'] } },
      executors: { docker: { allow_stdio: false } },
      permissions: { allow: ['mcp__x__a'] },
      naming: { strategy: 'hash' },
      search: { enabled: true, context_threshold: 0.1, min_context_window: 32_000, search_on_list_changed: true },
      results: { max_output_tokens: 25_000 },
      health: { ping_interval_ms: 30_000 },
      log: { level: 'info' },
    };
    expect(problemsOf(whole)).toBe('');
    for (const key of Object.keys(whole)) expect(problemsOf({ ...whole, [key]: 'wrong' })).not.toBe('');
    expect(problemsOf({ ...whole, version: 2 })).toContain('version');
  });

  promise(['1.2f', '1.1k', '1.2t', '1.2m', '1.2o'], 'of a server is checked key by key', () => {
    for (const transport of ['http', 'streamable_http', 'sse', 'ws']) {
      const url = transport === 'ws' ? 'wss://example.com' : 'https://example.com';
      expect(server({ transport, url })).toBe('');
      expect(server({ transport })).toContain(`Missing 'url' in ${transport} server 'x'`);
    }
    expect(server(stdio)).toBe('');
    expect(server({ ...stdio, transport: 'pigeon' })).toContain('Unknown transport "pigeon"');
    for (const mode of ['shared', 'per_session', 'auto']) expect(server({ ...stdio, mode })).toBe('');
    expect(server({ ...stdio, mode: 'sometimes' })).not.toBe('');
    const oauth = {
      authorization_url: 'a',
      token_url: 'b',
      registration_url: 'c',
      client_id: 'd',
      client_secret: 'e',
      scope: 'f',
    };
    const remote = { transport: 'http', url: 'https://example.com' };
    expect([server({ ...remote, oauth }), server({ ...remote, oauth: false })]).toEqual(['', '']);
    expect(server({ ...remote, oauth: { ...oauth, secret: 'x' } })).not.toBe('');
    expect(server({ ...stdio, oauth })).toContain("'oauth' does not go with stdio server 'x'");
  });

  promise(['1.2u', '1.2y'], 'missing, has a default; what is for people is shown to them', async () => {
    await using home = await makeHome();
    const meta = {
      name: 'The demo',
      description: 'for trying',
      url: 'https://example.com',
      icon: 'https://example.com/i.png',
    };
    await home.write(USER, { servers: { x: { ...stdio, meta } } });
    const explained = JSON.parse((await junctor(home, ['explain', 'x', '--json'])).stdout);
    const field = (key: string) => explained.fields.find((one: { key: string }) => one.key === key)?.value;
    expect([field('mode'), explained.mode, field('meta')]).toEqual(['auto', 'per_session', meta]);
  });
});

describe('a section of the file', () => {
  promise('1.2e', 'takes effect: permissions, naming, search, results, health and log', async () => {
    await using home = await makeHome();
    await using server = await changingServer({ tools: ['one'] });
    const servers = { demo: trusted(testServer()), c: trusted(server.definition) };
    const at = (name: string, frame: object) => home.write(`${name}.json`, { version: 1, servers, ...frame });
    const open = async (name: string, frame: object) =>
      createHost({ path: await at(name, frame), isolated: true, data: home.data });
    await using plain = await open('plain', {});
    await using set = await open('set', {
      permissions: { deny: ['mcp__demo__echo'] },
      naming: { strategy: 'colons' },
      search: { context_threshold: 0 },
      results: { max_output_tokens: 10 },
      health: { ping_interval_ms: 50 },
    });
    const both = <Value>(look: (host: Host) => Promise<Value>): Promise<Value[]> => Promise.all([plain, set].map(look));
    const echo = { server: 'demo', tool: 'echo' };
    expect(await both(async host => (await host.call(echo, { text: 'x' })).denied ?? false)).toEqual([false, true]);
    expect(await both(async host => (await host.tools()).some(({ name }) => name === 'demo::pid'))).toEqual([
      false,
      true,
    ]);
    const searched = async (host: Host) =>
      (await openaiTools(host, { naming: 'mcp__' })).tools.some(one => one.function.name === 'find_tools');
    expect(await both(searched)).toEqual([false, true]);
    const big = { server: 'demo', tool: 'big' };
    expect(await both(async host => (await host.call(big, { bytes: 500 })).artifact !== undefined)).toEqual([
      false,
      true,
    ]);
    // Twice in this time: by itself it would be once in thirty seconds.
    await expect.poll(() => server.asked('ping')).toBeGreaterThan(1);
    const logged = async (name: string, frame: object) =>
      (await junctor(home, ['mcp', 'tools', 'demo', '--fresh', '--config', await at(name, frame), '--isolated']))
        .stderr;
    expect(await logged('quiet', {})).not.toContain("server 'demo' is ready");
    expect(await logged('loud', { log: { level: 'info' } })).toContain("server 'demo' is ready");
  });
});

describe('timeouts', () => {
  promise(['1.2c', '1.2w', '2.8g'], 'come from the tool, else the server, else the defaults', async () => {
    const { args, command } = testServer();
    const demo = { transport: 'stdio', command, args, trust: 'trusted' };
    await using host = await createHost({
      config: {
        defaults: { tool_timeout_ms: 150, connect_timeout_ms: 20_000 },
        servers: {
          general: demo,
          own: { ...demo, tool_timeout_ms: 20_000 },
          single: { ...demo, tool_timeout_ms: 150, tool_timeouts_ms: { slow: 20_000 } },
        },
      },
    });
    const slow = (id: string) =>
      host.call({ server: id, tool: 'slow' }, { ms: 400 }).then(
        ({ output }) => output,
        ({ code }) => code,
      );
    expect(await Promise.all(['general', 'own', 'single'].map(slow))).toEqual([
      'timeout',
      'waited 400 ms',
      'waited 400 ms',
    ]);
  });
});

describe('bundles', () => {
  promise(
    ['1.9c', '1.9e', '1.9f', '1.9h', '1.9j', '1.9k'],
    'select tools: allow, then deny; several lists intersect',
    async () => {
      const demo = trusted(testServer());
      await using host = await createHost({
        config: {
          servers: { all: demo, some: demo, both: demo, none: demo, plain: demo },
          bundles: {
            a: { serverId: 'all', mode: 'direct' },
            b: { serverId: 'some', allowTools: ['echo', 'pid', 'slow'], denyTools: ['slow'] },
            c: { serverId: 'both', allowTools: ['echo', 'pid'] },
            d: { serverId: 'both', allowTools: ['pid', 'slow'] },
            e: { serverId: 'none', allowTools: ['echo'] },
            f: { serverId: 'none', allowTools: ['pid'] },
          },
        },
      });
      const tools = await host.tools();
      const of = (id: string) => tools.filter(({ server: own }) => own === id).map(({ name }) => name);
      const offered = (await host.collect('plain')).length;
      expect(offered).toBeGreaterThan(3);
      expect([of('all').length, of('plain').length]).toEqual([offered, offered]);
      expect([of('some'), of('both'), of('none')]).toEqual([
        ['mcp__some__echo', 'mcp__some__pid'],
        ['mcp__both__pid'],
        [],
      ]);
      await expect(host.call({ server: 'some', tool: 'slow' })).rejects.toMatchObject({ code: 'tool_not_found' });
      const loaded: McpConfigLoadResult = host.loaded;
      expect(loaded.problems).toEqual([]);
    },
  );
});
