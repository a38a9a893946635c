import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, makeHome, promise, startHub } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { startHubHere } from './hub-here.ts';
import { type AnyHub, asPosted, configOf, post, rest } from './rest-client.ts';
import { demo, withHub } from './rest-hub.ts';
import { RawClient } from './rpc.ts';

/** The servers whose tools an agent is offered, by the door it uses. */
async function offered(hub: AnyHub, agent: string, path = `/mcp/${agent}`): Promise<string[]> {
  const client = await RawClient.open(hub, path);
  const [answer] = await client.messages({ id: 1, method: 'tools/list' });
  const { tools } = (answer as { result: object }).result as { tools: { name: string }[] };
  return [...new Set(tools.filter(({ name }) => name.endsWith('_echo')).map(({ name }) => name.replace('_echo', '')))];
}

/** As the design document writes it: every key, every type. */
const EVERY_KEY = {
  enabled: true,
  servers: {
    filesystem: {
      type: 'stdio',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', '.'],
      env: { NODE_ENV: 'production' },
      mode: 'per_session',
    },
    search: {
      type: 'streamable_http',
      url: 'http://localhost:4010/mcp',
      headers: { 'X-Team': 'core' },
      mode: 'shared',
    },
    events: { type: 'sse', url: 'http://localhost:4011/sse' },
    web: { type: 'http', url: 'https://api.example.com/mcp', mode: 'auto' },
    socket: { type: 'ws', url: 'ws://localhost:4012/' },
  },
  meta: {
    search: {
      name: 'Search',
      description: 'Finds things',
      url: 'https://example.com',
      icon: 'https://example.com/i.svg',
    },
    events: { name: 'Events' },
  },
};

describe('the config of an agent', () => {
  promise(
    ['5.1a', '5.1b', '5.1c', '5.1d', '5.2a', '5.2b', '5.2c', '5.2e', '8.24a'],
    'comes back as it was posted, field for field, whichever case its id is written in',
    async () => {
      await withHub(
        async hub => {
          const posted = await post(hub, 'CODEX', EVERY_KEY);
          expect([posted.status, posted.body]).toEqual([
            200,
            { success: true, agent_id: 'codex', warnings: [], secrets: [] },
          ]);
          for (const id of ['CODEX', 'codex', 'Codex']) {
            expect((await configOf(hub, id)).body).toEqual({ agent_id: 'codex', ...EVERY_KEY });
          }
          // A missing mode is auto: a program for each session, what has an address for all.
          const { body } = await rest(hub, '/api/resolve?agent=codex');
          const modes = Object.fromEntries(
            body.servers.map((one: { name: string; mode: string }) => [one.name, one.mode]),
          );
          expect(modes).toEqual({
            filesystem: 'per_session',
            search: 'shared',
            events: 'shared',
            web: 'shared',
            socket: 'shared',
          });
          const without = { enabled: false, servers: { a: { type: 'stdio', command: 'x' } } };
          expect((await post(hub, 'codex', without)).status).toBe(200);
          expect((await configOf(hub, 'codex')).body).toEqual({ agent_id: 'codex', ...without });
        },
        { startup: { connect: 'lazy' } },
      );
    },
  );

  promise('5.2m', 'names an agent that is new, and a description without a server', async () => {
    await withHub(async hub => {
      expect((await configOf(hub, 'claudecode')).body.error.hint).toContain("did you mean 'claude-code'?");
      const server = { type: 'stdio', command: 'x' };
      const { body } = await post(hub, 'claudecode', {
        enabled: true,
        servers: { a: server },
        meta: { a: { name: 'Anna' }, zz: { name: 'Zed' } },
      });
      expect(body.warnings).toEqual([
        { message: "'claudecode' is a new agent: no agent of this id was known. Did you mean 'claude-code'?" },
        { message: "'meta' describes 'zz', and there is no such server." },
      ]);
      expect((await post(hub, 'claudecode', { enabled: true, servers: {} })).body.warnings).toEqual([]);
      const wrong = await post(hub, 'codex', { enabled: true, servers: { a: { ...server, bogus: 1 } } });
      expect(wrong.body.error.problems[0].expected).toMatch(/^type, command, /);
    });
  });

  promise('1.2h', 'keeps the written word streamable_http: REST returns it, and policy judges it', async () => {
    await using home = await makeHome();
    const servers = {
      stream: { transport: 'streamable_http', url: 'http://localhost:1/mcp' },
      plain: { transport: 'http', url: 'http://localhost:1/mcp' },
    };
    const config = { servers, startup: { connect: 'lazy' }, executors: { k8s: { allow_streamable_http: false } } };
    await using hub = await startHub(home, config);
    const types = async () => {
      const { body } = await configOf(hub, 'cursor');
      return [body.servers.stream.type, body.servers.plain.type];
    };
    expect(await types()).toEqual(['streamable_http', 'http']);
    await post(hub, 'cursor', {
      enabled: true,
      servers: { stream: asPosted(servers.stream), plain: asPosted(servers.plain) },
    });
    expect(await types()).toEqual(['streamable_http', 'http']);
    const status = await rest(hub, '/api/status?agent=cursor');
    expect(status.body.servers.map((one: { transport: string }) => one.transport)).toEqual(['streamable_http', 'http']);
    const { body } = await rest(hub, '/api/resolve?agent=cursor&executor=k8s');
    expect(body.servers.map((one: { name: string; transport: string }) => [one.name, one.transport])).toEqual([
      ['plain', 'http'],
    ]);
    expect(body.warnings).toEqual([
      { server: 'stream', message: "transport streamable_http is not allowed by executor 'k8s'" },
    ]);
  });

  promise(
    ['5.1j', '5.1k'],
    'replaces, at once and by every door, what that agent gets from the files, and what no other agent gets',
    async () => {
      await withHub(
        async hub => {
          // A server that is switched off is nobody's.
          expect([await offered(hub, 'codex'), await offered(hub, 'cursor')]).toEqual([['demo'], ['demo']]);
          const before = await configOf(hub, 'codex');
          expect(before.body).toEqual({ agent_id: 'codex', enabled: true, servers: { demo: asPosted(demo) } });
          const session = await RawClient.open(hub, '/mcp/codex');
          // Another server under an id that the files use too, and one of its own.
          const own = { demo: asPosted({ ...demo, tools: { allow: ['fail'] } }), mine: asPosted(demo) };
          await post(hub, 'codex', { enabled: true, servers: own });
          expect([await offered(hub, 'codex'), await offered(hub, 'cursor')]).toEqual([['mine'], ['demo']]);
          const [called] = await session.call(2, 'mine_echo', { text: 'x' });
          expect(called?.result).toMatchObject({ content: [{ type: 'text', text: 'x' }] });
          expect((await session.call(3, 'demo_echo', { text: 'x' }))[0]?.error).toMatchObject({ code: -32602 });
          await post(hub, 'codex', { enabled: false, servers: own });
          expect([await offered(hub, 'codex'), await offered(hub, 'cursor')]).toEqual([[], ['demo']]);
          expect((await rest(hub, '/api/mcp-config?agent=codex', { method: 'DELETE' })).status).toBe(200);
          expect(await offered(hub, 'codex')).toEqual(['demo']);
          expect((await configOf(hub, 'codex')).etag).toBe(before.etag);
        },
        { servers: { demo, off: { ...demo, enabled: false } } },
      );
    },
  );

  promise('5.1l', 'does not count where an enterprise policy decides', async () => {
    await using home = await makeHome();
    const path = await home.write('config.json', { version: 1, servers: { demo } });
    // In this process: no option or variable of the command moves the place of the policy, or anybody could.
    const policyDirectory = join(home.path, 'etc');
    await using hub = await startHubHere(home, { path, isolated: true, policyDirectory });
    const servers = { mine: asPosted(demo) };
    await post(hub, 'codex', { enabled: true, servers });
    expect(await offered(hub, 'codex')).toEqual(['mine']);
    const policy = await home.write('etc/policy.json', { version: 1, servers: { official: demo } });
    await expect.poll(() => offered(hub, 'codex')).toEqual(['official']);
    const { body } = await post(hub, 'codex', { enabled: true, servers });
    expect(body.warnings).toEqual([{ message: expect.stringContaining('policy of your organisation') }]);
    expect(await offered(hub, 'codex')).toEqual(['official']);
    expect((await configOf(hub, 'codex')).body).toEqual({ agent_id: 'codex', enabled: true, servers });
    await rm(policy);
    await expect.poll(() => offered(hub, 'codex')).toEqual(['mine']);
  });

  test('makes an agent that nobody knew, with a door and tokens of its own', async () => {
    await withHub(async (hub, home) => {
      const unknown = await configOf(hub, 'my-agent');
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
      expect(unknown.body.error.hint).toContain('claude-code');
      await post(hub, 'My-Agent', { enabled: true, servers: { mine: asPosted(demo) } });
      expect(await offered(hub, 'my-agent')).toEqual(['mine']);
      const made = await junctor(home, ['hub', 'token', '--agent', 'MY-AGENT', '--data', home.data]);
      const token = made.stdout.trim();
      const own = { ...hub, token, fetch: (path: string, init = {}) => hub.fetch(path, { ...init, token }) };
      await expect.poll(async () => (await own.fetch('/mcp/my-agent')).status).not.toBe(401);
      expect(await offered(own, 'my-agent')).toEqual(['mine']);
      expect((await junctor(home, ['hub', 'token', '--agent', 'my agent', '--data', home.data])).code).toBe(2);
    });
  });
});
