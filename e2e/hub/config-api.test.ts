import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  everything,
  type Home,
  junctor,
  makeHome,
  promise,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { startHubHere } from './hub-here.ts';
import { type AnyHub, asPosted, configOf, post, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const demo = trusted(testServer());

async function withHub(run: (hub: RunningHub, home: Home) => Promise<void>, config: object = {}): Promise<void> {
  await using home = await makeHome();
  await using hub = await startHub(home, { version: 1, servers: { demo }, ...config });
  await run(hub, home);
}

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

describe('a secret', () => {
  promise(
    '5.2d',
    'that is posted as plain text comes back as a reference, lies in no file as text, and works',
    async () => {
      await withHub(async (hub, home) => {
        const env = { API_TOKEN: 'tok-0123456789', PLAIN: 'seen' };
        const mine = asPosted({ ...trusted(everything()), env });
        const web = {
          type: 'http',
          url: 'http://localhost:1/mcp',
          headers: { Authorization: 'Bearer hdr-0123456789' },
        };
        const { body } = await post(hub, 'codex', { enabled: true, servers: { mine, web } });
        const read = (await configOf(hub, 'codex')).body.servers;
        const reference = /^\$\{secret:([\w.-]+)\}$/.exec(read.mine.env.API_TOKEN)?.[1] as string;
        expect([read.mine.env.PLAIN, read.web.headers.Authorization]).toEqual([
          'seen',
          expect.stringMatching(/^Bearer \$\{secret:[\w.-]+\}$/),
        ]);
        expect(body.secrets).toContain(reference);
        const client = await RawClient.open(hub, '/mcp/codex');
        const [answer] = await client.call(1, 'mine_get-env', {});
        expect(JSON.stringify(answer)).toContain('tok-0123456789');
        for (const file of ['hub.db', 'hub.db-wal', 'secrets.json']) {
          const bytes = await readFile(join(home.data, file));
          expect([file, bytes.includes('tok-0123456789'), bytes.includes('hdr-0123456789')]).toEqual([
            file,
            false,
            false,
          ]);
        }
        // What was read can be posted again, and a secret that nothing names any more is forgotten.
        expect((await post(hub, 'codex', { enabled: true, servers: { mine: read.mine } })).status).toBe(200);
        const kept = await readFile(join(home.data, 'secrets.json'), 'utf8');
        expect([kept.includes(reference), kept.includes('web.Authorization')]).toEqual([true, false]);
      });
    },
  );

  test('that a file holds as plain text is masked, and stays what it was when it is posted back', async () => {
    const servers = { mine: { ...trusted(everything()), env: { API_TOKEN: 'tok-0123456789' } } };
    await withHub(
      async hub => {
        const { body } = await configOf(hub, 'codex');
        expect(body.servers.mine.env.API_TOKEN).toBe('•••');
        expect(
          (await post(hub, 'codex', { ...body, servers: { ...body.servers, more: body.servers.mine } })).body.error,
        ).toMatchObject({
          code: 'config_invalid',
          problems: [{ path: 'servers.more.env.API_TOKEN', message: expect.stringContaining('masked') }],
        });
        expect((await post(hub, 'codex', body)).status).toBe(200);
        const client = await RawClient.open(hub, '/mcp/codex');
        const [answer] = await client.call(1, 'mine_get-env', {});
        expect(JSON.stringify(answer)).toContain('tok-0123456789');
        expect((await configOf(hub, 'codex')).body.servers.mine.env.API_TOKEN).toMatch(/^\$\{secret:/);
      },
      { servers },
    );
  });
});

describe('two editors', () => {
  const one = { enabled: true, servers: { one: { type: 'stdio', command: 'a' } } };
  const two = { enabled: true, servers: { two: { type: 'stdio', command: 'b' } } };

  promise('5.2f', 'do not overwrite each other: a stale If-Match is refused and changes nothing', async () => {
    await withHub(
      async hub => {
        const read = await configOf(hub, 'codex');
        const first = await post(hub, 'codex', one, { 'if-match': read.etag as string });
        expect(first.status).toBe(200);
        const second = await post(hub, 'codex', two, { 'if-match': read.etag as string });
        expect([second.status, second.body.error.code]).toEqual([412, 'edit_outdated']);
        expect((await configOf(hub, 'codex')).body.servers).toEqual(one.servers);
        expect((await configOf(hub, 'codex')).etag).toBe(first.etag);
        expect((await post(hub, 'codex', two, { 'if-match': first.etag as string })).status).toBe(200);
        // Not required; `*` is any; and nothing is sent to who has it already.
        expect((await post(hub, 'codex', one)).status).toBe(200);
        expect((await post(hub, 'codex', two, { 'if-match': '*' })).status).toBe(200);
        expect((await post(hub, 'codex', one, { 'if-none-match': '*' })).status).toBe(412);
        const { etag } = await configOf(hub, 'codex');
        const again = await rest(hub, '/api/mcp-config?agent=codex', { headers: { 'if-none-match': etag as string } });
        expect([again.status, again.body]).toEqual([304, undefined]);
        // Ten at once with one tag: one of them is first.
        const rush = Array.from({ length: 10 }, (_, count) =>
          post(
            hub,
            'codex',
            { enabled: true, servers: { [`n${count}`]: { type: 'stdio', command: 'c' } } },
            { 'if-match': etag as string },
          ),
        );
        const statuses = (await Promise.all(rush)).map(({ status }) => status).sort();
        expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 412)]);
      },
      { startup: { connect: 'lazy' } },
    );
  });
});

describe('what is wrong', () => {
  promise('5.2g', 'is refused with the place and the fix, all of it at once, and changes nothing', async () => {
    await withHub(
      async hub => {
        const before = await configOf(hub, 'codex');
        const wrong = {
          enabled: true,
          servers: {
            a: { type: 'stdio' },
            b: { type: 'smoke' },
            c: { transport: 'stdio', command: 'x' },
            d: { type: 'http', url: 'ftp://x' },
            e: { type: 'stdio', command: 'x', comand: 'y' },
            'f g': { type: 'stdio', command: 'x' },
            h: 7,
            good: { type: 'stdio', command: 'x' },
          },
        };
        const { status, body } = await post(hub, 'codex', wrong);
        expect([status, body.error.code]).toEqual([400, 'config_invalid']);
        const problems = body.error.problems as { path: string; message: string; fix: string }[];
        const at = Object.fromEntries(problems.map(({ path, message, fix }) => [path, `${message} ${fix}`]));
        expect(at).toMatchObject({
          'servers.a.command': `Missing 'command' in stdio server 'a'. Add the program to start, or set type to "http".`,
          'servers.b.type': expect.stringMatching(/Unknown transport "smoke".*Set type to one of/),
          'servers.c.transport': "Unknown key 'transport' in server 'c'. Did you mean 'type'?",
          'servers.d.url': expect.stringContaining('starts with http:// or https://'),
          'servers.e.comand': expect.stringContaining("Did you mean 'command'?"),
          'servers.f g': expect.stringContaining('cannot be a server id'),
          'servers.h': expect.stringContaining('is not an object'),
        });
        expect(problems.some(({ path }) => path.includes('good'))).toBe(false);
        const others: [unknown, string][] = [
          [{ servers: {} }, 'enabled'],
          [{ enabled: true }, 'servers'],
          [{ enabled: 'yes', servers: {} }, 'enabled'],
          [{ enabled: true, servers: [] }, 'servers'],
          [{ enabled: true, servers: {}, server: {} }, 'server'],
          [{ enabled: true, servers: {}, meta: { a: { title: 'A' } } }, 'meta.a.title'],
          [{ enabled: true, servers: {}, agent_id: 'cursor' }, 'agent_id'],
          [[], ''],
        ];
        for (const [sent, path] of others) {
          const refused = await post(hub, 'codex', sent);
          expect([refused.status, refused.body.error.problems[0].path]).toEqual([400, path]);
        }
        expect(await configOf(hub, 'codex')).toEqual(before);
      },
      { startup: { connect: 'lazy' } },
    );
  });

  test('a shared program is refused unless the proxy is on; a transport the executor does not allow is a warning', async () => {
    await withHub(
      async hub => {
        const shared = { enabled: true, servers: { a: { type: 'stdio', command: 'x', mode: 'shared' } } };
        expect((await post(hub, 'codex', shared)).status).toBe(200);
        const refused = await rest(hub, '/api/mcp-config?agent=codex&executor=docker', {
          method: 'POST',
          body: shared,
        });
        expect(refused.body.error.problems).toEqual([
          {
            path: 'servers.a.mode',
            server: 'a',
            message: "A shared stdio server needs the stdio proxy, which executor 'docker' does not have on.",
            fix: 'Set mode to per_session or auto, or switch stdio_proxy on for that executor.',
          },
        ]);
        await rest(hub, '/api/executors/local', { method: 'PUT', body: { allow_stdio: false } });
        const { body } = await post(hub, 'codex', shared);
        expect(body.warnings).toEqual([{ server: 'a', message: "transport stdio is not allowed by executor 'local'" }]);
      },
      { startup: { connect: 'lazy' } },
    );
  });
});

describe('a policy', () => {
  promise(
    ['5.1e', '5.1f'],
    'of an executor is stored with its switches and maps; one for a pair of agent and executor holds for that pair only',
    async () => {
      await withHub(
        async hub => {
          const policy = {
            allow_stdio: false,
            allow_http: true,
            allow_sse: false,
            allow_streamable_http: true,
            http_url_rewrite: { localhost: 'mcp.svc' },
            env_injection: { REGION: 'eu' },
          };
          expect((await rest(hub, '/api/executors/k8s', { method: 'PUT', body: policy })).status).toBe(200);
          const listed = async (agent = '') => {
            const { body } = await rest(hub, `/api/executors${agent && `?agent=${agent}`}`);
            return body.executors.find((one: { executor: string }) => one.executor === 'k8s');
          };
          expect(await listed()).toMatchObject({ stored: policy, policy });
          const resolved = async (agent: string, executor: string) => {
            const { body } = await rest(hub, `/api/resolve?agent=${agent}&executor=${executor}`);
            return body.servers.map(({ name, endpoint }: { name: string; endpoint: string }) => `${name} ${endpoint}`);
          };
          const everywhere = ['demo stdio:', 'web http://localhost:1/mcp'];
          expect(await resolved('codex', 'k8s')).toEqual(['web http://mcp.svc:1/mcp']);
          expect(await resolved('codex', 'ssh')).toEqual(everywhere);
          const own = { allow_stdio: true, http_url_rewrite: {} };
          await rest(hub, '/api/agents/CODEX/executors/k8s', { method: 'PUT', body: own });
          expect(await resolved('codex', 'k8s')).toEqual(everywhere);
          expect(await resolved('cursor', 'k8s')).toEqual(['web http://mcp.svc:1/mcp']);
          expect((await listed('codex')).policy).toMatchObject({ ...policy, ...own });
          expect((await listed('cursor')).policy).toMatchObject(policy);
          // It holds for what is posted, too, and ends with itself.
          const servers = { mine: { type: 'stdio', command: 'x' } };
          await post(hub, 'codex', { enabled: true, servers });
          expect(await resolved('codex', 'k8s')).toEqual(['mine stdio:']);
          await rest(hub, '/api/agents/codex/executors/k8s', { method: 'DELETE' });
          expect(await resolved('codex', 'k8s')).toEqual([]);
          await rest(hub, '/api/executors/k8s', { method: 'DELETE' });
          expect(await resolved('codex', 'k8s')).toEqual(['mine stdio:']);
          const wrong = await rest(hub, '/api/executors/k8s', { method: 'PUT', body: { allow_studio: true } });
          expect([wrong.status, wrong.body.error.problems[0].fix]).toEqual([400, "Did you mean 'allow_stdio'?"]);
        },
        { servers: { demo, web: { transport: 'http', url: 'http://localhost:1/mcp' } }, startup: { connect: 'lazy' } },
      );
    },
  );

  test('is changed only by who read the last version, and shows no secret', async () => {
    const executors = { k8s: { env_injection: { API_TOKEN: 'tok-0123456789', REGION: 'eu' } } };
    await withHub(
      async hub => {
        const path = '/api/executors/k8s';
        const { body, etag } = await rest(hub, path);
        expect(body.policy.env_injection).toEqual({ API_TOKEN: '•••', REGION: 'eu' });
        expect(JSON.stringify((await rest(hub, '/api/resolve?agent=codex&executor=k8s')).body)).not.toContain('tok-0');
        const put = (policy: object, tag: string | null) =>
          rest(hub, path, { method: 'PUT', body: policy, headers: { 'if-match': tag ?? '' } });
        // What was masked stays what it is.
        const changed = await put({ ...body.policy, allow_sse: false }, etag);
        expect([changed.status, changed.etag]).toEqual([200, (await rest(hub, path)).etag]);
        expect(changed.etag).not.toBe(etag);
        const late = await put({ allow_sse: true }, etag);
        expect([late.status, late.body.error.code]).toEqual([412, 'edit_outdated']);
        expect((await rest(hub, path, { method: 'DELETE', headers: { 'if-match': etag ?? '' } })).status).toBe(412);
        expect((await rest(hub, path)).body.policy).toMatchObject({ allow_sse: false });
        expect((await rest(hub, path, { headers: { 'if-none-match': changed.etag ?? '' } })).status).toBe(304);
        const unknown = await put({ env_injection: { OTHER_TOKEN: '•••' } }, changed.etag);
        expect([unknown.status, unknown.body.error.problems[0].path]).toEqual([400, 'env_injection.OTHER_TOKEN']);
        // The same for one agent.
        const own = '/api/agents/codex/executors/k8s';
        const { etag: ownTag } = await rest(hub, `${path}?agent=codex`);
        const first = { method: 'PUT', body: { allow_ws: false }, headers: { 'if-match': ownTag ?? '' } };
        expect((await rest(hub, own, first)).status).toBe(200);
        expect((await rest(hub, own, first)).status).toBe(412);
        expect((await rest(hub, own, { method: 'DELETE' })).status).toBe(200);
      },
      { servers: { demo }, executors, startup: { connect: 'lazy' } },
    );
  });

  test('decides what will work where', async () => {
    await withHub(
      async hub => {
        const { body } = await rest(hub, '/api/feasibility');
        const ssh = body.executors.indexOf('ssh');
        const codex = body.agents.find((one: { agent: string }) => one.agent === 'codex');
        expect([codex.on[0], codex.on[ssh]]).toEqual([
          { works: 2, of: 2 },
          { works: 1, of: 2 },
        ]);
        const { body: cells } = await rest(hub, '/api/feasibility/CODEX');
        const on = Object.fromEntries(
          cells.servers.map((one: { server: string; on: object[] }) => [one.server, one.on[ssh]]),
        );
        expect(on).toEqual({
          demo: { mode: null, because: "transport stdio is not allowed by executor 'ssh'" },
          web: { mode: 'shared', because: null },
        });
        expect((await rest(hub, '/api/feasibility/nobody')).status).toBe(404);
      },
      {
        servers: { demo, web: { transport: 'http', url: 'http://localhost:1/mcp' } },
        executors: { ssh: { allow_stdio: false } },
        startup: { connect: 'lazy' },
      },
    );
  });
});
