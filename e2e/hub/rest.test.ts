import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { describedRest, type OpenApi, readOpenApi } from './openapi.ts';
import { rest } from './rest-client.ts';
import { demo, withHub } from './rest-hub.ts';
import { RawClient } from './rpc.ts';

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

async function errorOf(answer: Response): Promise<{ code: string; message: string }> {
  return ((await answer.json()) as { error: { code: string; message: string } }).error;
}
