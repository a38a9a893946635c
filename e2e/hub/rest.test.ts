import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
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
import { listen } from './listen.ts';
import { describedRest, type OpenApi, readOpenApi } from './openapi.ts';
import { asPosted, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const demo = trusted(testServer());

async function withHub(
  run: (hub: RunningHub, home: Home) => Promise<void>,
  config: object = {},
  args: readonly string[] = [],
): Promise<void> {
  await using home = await makeHome();
  await using hub = await startHub(home, { version: 1, servers: { demo }, ...config }, args);
  await run(hub, home);
}

describe('REST', () => {
  promise(
    ['5.2h', '5.2k', '8.24b', '8.24d'],
    'answers status, tools, resolution and statistics, each path as the OpenAPI document says',
    async () => {
      await withHub(
        async hub => {
          const document = await readOpenApi(hub);
          const asked = describedRest(document);
          const client = await RawClient.open(hub, '/mcp/codex');
          await client.call(1, 'demo_echo', { text: 'x' });
          const get = async (path: string) => (await asked(hub, path)).body;
          const states = async () =>
            (await get('/api/status')).servers.map(({ id, state }: Record<string, string>) => [id, state]);
          await expect.poll(states).toEqual([
            ['demo', 'ready'],
            ['missing', 'error'],
            ['off', 'disabled'],
          ]);
          const { servers } = await get('/api/status');
          const missing = servers.find(({ id }: { id: string }) => id === 'missing');
          expect(missing.last_error).toMatchObject({ code: 'command_not_found', hint: expect.any(String) });
          const { tools } = await get('/api/tools?agent=codex&server=demo&text=its%20TEXT%20returns');
          expect(tools.map(({ name, server, tool }: Record<string, string>) => [name, server, tool])).toEqual([
            ['demo_echo', 'demo', 'echo'],
          ]);
          expect((await get('/api/tools?server=missing')).tools).toEqual([]);
          expect(await get('/api/resolve?agent=CODEX&session=s1')).toMatchObject({
            agent: 'codex',
            executor: 'local',
            session: 's1',
            servers: [
              { name: 'demo', transport: 'stdio', mode: 'per_session', endpoint: 'stdio:' },
              { name: 'missing', transport: 'stdio' },
            ],
            left_out: [{ server: 'off', because: 'enabled is false' }],
          });
          const { agents } = await get('/api/agents');
          expect(agents.find(({ agent_id }: Record<string, string>) => agent_id === 'codex')).toEqual({
            agent_id: 'codex',
            enabled: true,
            stored: false,
            servers: ['demo', 'missing'],
            executors: {},
            surface: 'auto',
            door: '/mcp/codex',
          });
          for (const path of [
            'executors',
            'servers',
            'approvals?state=all',
            'approvals',
            'calls',
            'stats',
            'sessions',
            'instances',
            'grants',
          ])
            await get(`/api/${path}`);
          await get('/api/agents/codex');
          await get('/api/servers/demo');
          await get('/api/mcp-config?agent=codex');
          await get('/api/openapi.json');
        },
        {
          servers: {
            demo,
            missing: { transport: 'stdio', command: 'no-such-program-here' },
            off: { ...demo, enabled: false },
          },
        },
      );
    },
  );

  promise(['5.2k', '8.24a'], 'changes things as the OpenAPI document says, and refuses as it says', async () => {
    await withHub(
      async (hub, home) => {
        const asked = describedRest(await readOpenApi(hub));
        const send = async (method: string, path: string, body?: unknown) =>
          (await asked(hub, path, { method, ...(body === undefined ? {} : { body }) })).status;
        const config = { enabled: true, servers: { mine: { type: 'stdio', command: 'x' } } };
        const web = { transport: 'http', url: 'http://localhost:1/mcp' };
        expect([
          await send('POST', '/api/mcp-config?agent=codex', config),
          await send('POST', '/api/mcp-config?agent=codex', { enabled: 1 }),
          await send('POST', '/api/mcp-config', config),
          await send('DELETE', '/api/mcp-config?agent=codex'),
          await send('POST', '/api/resolve?agent=codex&executor=docker', config),
          await send('PUT', '/api/agents/codex/executors/docker', { allow_stdio: false }),
          await send('DELETE', '/api/agents/codex/executors/docker'),
          await send('GET', '/api/agents/nobody'),
          await send('PUT', '/api/executors/docker', { stdio_proxy: true }),
          await send('DELETE', '/api/executors/docker'),
          await send('POST', '/api/servers', { id: 'web', definition: web }),
          await send('POST', '/api/servers', { id: 'web', definition: web }),
          await send('PUT', '/api/servers/web', { ...web, mode: 'shared' }),
          await send('PATCH', '/api/servers/web', { enabled: false }),
          await send('DELETE', '/api/servers/web'),
          await send('DELETE', '/api/servers/web'),
          await send('POST', '/api/approvals/none', { answer: 'once' }),
          await send('DELETE', '/api/grants/none'),
          await send('GET', '/api/calls?limit=0'),
          await send('GET', '/api/calls?since=yesterday'),
        ]).toEqual([
          200, 400, 400, 200, 200, 200, 200, 404, 200, 200, 201, 409, 200, 200, 200, 404, 404, 404, 400, 400,
        ]);
        expect(await readFile(join(home.path, 'hub.json'), 'utf8')).not.toContain('"web"');
      },
      { startup: { connect: 'lazy' } },
    );
  });

  promise('5.2k', 'serves every path of the document and no other', async () => {
    await withHub(
      async hub => {
        const document: OpenApi = await readOpenApi(hub);
        const wanted = [
          'agents',
          'executors',
          'servers',
          'status',
          'tools',
          'resolve',
          'approvals',
          'calls',
          'stats',
          'sessions',
        ];
        const described = Object.keys(document.paths);
        for (const name of [...wanted, 'mcp-config', 'events', 'openapi.json'])
          expect(described).toContain(`/api/${name}`);
        const abort = new AbortController();
        for (const [path, operations] of Object.entries(document.paths)) {
          const real = path.replace(/\{\w+\}/g, 'x');
          for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
            const answer = await hub.fetch(real, { method: method.toUpperCase(), signal: abort.signal });
            const known = operations[method] !== undefined;
            expect({ path, method, refused: answer.status === 405 }).toEqual({ path, method, refused: !known });
            await answer.body?.cancel();
          }
        }
        abort.abort();
        const nowhere = await rest(hub, '/api/nowhere');
        expect([nowhere.status, nowhere.body]).toEqual([
          404,
          {
            error: {
              code: 'not_found',
              message: 'Nothing is at /api/nowhere.',
              hint: 'GET /api/openapi.json lists every path',
            },
          },
        ]);
      },
      { startup: { connect: 'lazy' } },
    );
  });

  promise('9.5g', 'is closed to agents, and to whoever has no token', async () => {
    await withHub(async (hub, home) => {
      const token = (await junctor(home, ['hub', 'token', '--agent', 'codex', '--data', home.data])).stdout.trim();
      const { paths } = await readOpenApi(hub);
      await expect.poll(async () => (await hub.fetch('/mcp/codex', { token })).status).not.toBe(401);
      for (const path of [...Object.keys(paths), '/metrics', '/api', '/api/nowhere']) {
        const real = path.replace(/\{\w+\}/g, 'codex');
        const asAgent = await hub.fetch(real, { token });
        const asNobody = await fetch(`${hub.url}${real}`);
        expect([path, asAgent.status, asNobody.status]).toEqual([path, 403, 401]);
        expect(await errorOf(asAgent)).toMatchObject({ code: 'token_refused', hint: expect.any(String) });
        expect(await errorOf(asNobody)).toMatchObject({ code: 'token_required', hint: expect.any(String) });
      }
    });
  });

  test('takes no body that a form of another site could send, none that is too large, and none that is no JSON', async () => {
    await withHub(
      async hub => {
        const send = async (body: string, type: string) => {
          const answer = await hub.fetch('/api/mcp-config?agent=codex', {
            method: 'POST',
            body,
            headers: { 'content-type': type },
          });
          return [answer.status, (await errorOf(answer)).message];
        };
        const good = JSON.stringify({ enabled: true, servers: {} });
        expect(await send(good, 'text/plain')).toEqual([415, 'The body is text/plain, not JSON.']);
        expect(await send('{', 'application/json')).toEqual([400, 'The body is not valid JSON.']);
        const large = JSON.stringify({ enabled: true, servers: {}, meta: { a: { name: 'x'.repeat(5_000_000) } } });
        expect(await send(large, 'application/json')).toEqual([413, 'The body is larger than 4 MiB.']);
      },
      { startup: { connect: 'lazy' } },
    );
  });
});

describe('servers', () => {
  const original = `{
  // what everybody uses
  "version": 1,
  "servers": {
    "demo": { "transport": "http", "url": "http://localhost:1/mcp" } // the first
  },
  "startup": { "connect": "lazy" }
}
`;

  promise('9.3f', 'are written to the file of --config, with the comments in it, and count at once', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, {});
    const file = join(home.path, 'hub.json');
    await writeFile(file, original);
    await expect.poll(async () => (await rest(hub, '/api/servers')).body.servers.length).toBe(1);
    const definition = { transport: 'stdio', command: 'x', env: { API_TOKEN: 'tok-0123456789' } };
    const added = await rest(hub, '/api/servers', { method: 'POST', body: { id: 'mine', definition } });
    expect([added.status, added.body.file, added.body.effective]).toEqual([201, file, 'explicit']);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('// what everybody uses');
    expect(text).toContain('// the first');
    expect(text).not.toContain('tok-0123456789');
    const read = await rest(hub, '/api/servers/mine');
    expect(read.body).toMatchObject({ id: 'mine', layer: 'explicit', file, state: 'idle' });
    expect(read.body.definition.env.API_TOKEN).toMatch(/^\$\{secret:mine\.API_TOKEN\./);
    const changed = { ...read.body.definition, args: ['a'] };
    const tag = { 'if-match': read.etag as string };
    const first = await rest(hub, '/api/servers/mine', { method: 'PUT', body: changed, headers: tag });
    expect(first.status).toBe(200);
    const stale = await rest(hub, '/api/servers/mine', { method: 'PUT', body: definition, headers: tag });
    expect([stale.status, stale.body.error.code]).toEqual([412, 'edit_outdated']);
    expect((await rest(hub, '/api/servers/mine')).etag).toBe(first.etag);
    await rest(hub, '/api/servers/mine', { method: 'PATCH', body: { enabled: false } });
    expect((await rest(hub, '/api/servers/mine')).body).toMatchObject({ enabled: false, state: 'disabled' });
    expect((await rest(hub, '/api/servers/mine', { method: 'DELETE' })).body.effective).toBe(null);
    expect(await readFile(file, 'utf8')).toBe(original);
    const wrong = await rest(hub, '/api/servers', {
      method: 'POST',
      body: { id: 'bad', definition: { transport: 'stdio' } },
    });
    expect([wrong.status, wrong.body.error.message]).toEqual([
      400,
      expect.stringContaining("Missing 'command' in stdio server 'bad'"),
    ]);
  });

  promise('9.3e', 'are written to your own file where the hub has no --config', async () => {
    await using home = await makeHome();
    await using hub = await startHubHere(home);
    const added = await rest(hub, '/api/servers', {
      method: 'POST',
      body: { id: 'mine', definition: { transport: 'stdio', command: 'x' } },
    });
    expect([added.status, added.body.file, added.body.effective]).toEqual([201, home.userConfig, 'user']);
    expect(JSON.parse(await readFile(home.userConfig, 'utf8'))).toEqual({
      version: 1,
      servers: { mine: { transport: 'stdio', command: 'x' } },
    });
  });
});

describe('events', () => {
  promise(['5.2i', '8.24c'], 'come as a stream, by type and agent, and what was missed comes first', async () => {
    await withHub(async hub => {
      const refused = await rest(hub, '/api/events?server=a%20b');
      expect(refused.status).toBe(400);
      await using all = await listen(hub, '/api/events');
      expect(all.contentType).toBe('text/event-stream');
      await rest(hub, '/api/mcp-config?agent=codex', {
        method: 'POST',
        body: { enabled: true, servers: { mine: asPosted(demo) } },
      });
      const ready = await all.until(
        ({ type, data }) => type === 'state-changed' && data.server === 'mine' && data.state.kind === 'ready',
      );
      expect(ready.data).toMatchObject({ type: 'state-changed', server: 'mine', agent: 'codex' });
      await using changes = await listen(hub, '/api/events?types=config-changed&agent=cursor');
      await rest(hub, '/api/mcp-config?agent=codex', { method: 'DELETE' });
      await rest(hub, '/api/mcp-config?agent=cursor', { method: 'POST', body: { enabled: false, servers: {} } });
      expect((await changes.until(() => true)).data).toEqual({ type: 'config-changed', agent: 'cursor' });
      const seen = await all.until(({ type, data }) => type === 'config-changed' && data.agent === 'cursor');
      await all[Symbol.asyncDispose]();
      await using again = await listen(hub, '/api/events', { 'last-event-id': ready.id });
      const replayed = await again.until(({ id }) => id === seen.id);
      expect(replayed).toEqual(seen);
      await using lost = await listen(hub, '/api/events', { 'last-event-id': 'another-1' });
      expect((await lost.until(() => true)).type).toBe('events-lost');
    });
  });

  test('tell of sessions that open and close, with the door they are at', async () => {
    await withHub(async hub => {
      await using heard = await listen(hub, '/api/events?types=session-opened,session-closed');
      const clients = [await RawClient.open(hub, '/mcp/codex'), await RawClient.open(hub, '/servers/demo/mcp')];
      for (const [type, door] of [
        ['session-opened', { agent: 'codex' }],
        ['session-opened', { server: 'demo' }],
        ['session-closed', { agent: 'codex' }],
        ['session-closed', { server: 'demo' }],
      ] as const) {
        const [index, path] = 'agent' in door ? [0, '/mcp/codex'] : [1, '/servers/demo/mcp'];
        const session = clients[index]?.session as string;
        if (type === 'session-closed')
          await hub.fetch(path, { method: 'DELETE', headers: { 'mcp-session-id': session } });
        const event = await heard.until(() => true);
        expect(event.data).toEqual({ type, ...door, sessions: [session] });
      }
    });
  });
});

describe('a monitor', () => {
  promise(['8.25b', '8.25c'], 'learns whether the hub can serve, and what it did', async () => {
    await withHub(async hub => {
      const ready = await fetch(`${hub.url}/readyz`);
      expect([ready.status, await ready.text()]).toEqual([200, 'ready\n']);
      const client = await RawClient.open(hub, '/mcp/codex');
      await client.call(1, 'demo_echo', { text: 'x' });
      await client.call(2, 'demo_fail', {});
      const answer = await hub.fetch('/metrics');
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      const text = await answer.text();
      for (const line of text.trimEnd().split('\n')) {
        expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"]*",?)*\})? -?[\d.e+-]+(Inf)?)$/);
      }
      expect(text).toContain('junctor_servers{state="ready"} 1\n');
      expect(text).toContain('# TYPE junctor_call_duration_seconds histogram\n');
    });
  });
});

async function errorOf(answer: Response): Promise<{ code: string; message: string }> {
  return ((await answer.json()) as { error: { code: string; message: string } }).error;
}
