import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { post, rest } from './rest-client.ts';
import { demo, withHub } from './rest-hub.ts';

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
        // An agent with a list of its own has no servers of the files.
        const own = { enabled: true, servers: { mine: { type: 'http', url: 'http://localhost:1/mcp' } } };
        await rest(hub, '/api/mcp-config?agent=cursor', { method: 'POST', body: own });
        const { agents } = (await rest(hub, '/api/feasibility')).body;
        const cursor = agents.find((one: { agent: string }) => one.agent === 'cursor');
        expect(cursor.on[0]).toEqual({ works: 1, of: 1 });
        const { servers } = (await rest(hub, '/api/feasibility/cursor')).body;
        expect(servers.map((one: { server: string }) => one.server)).toEqual(['mine']);
        const status = (await rest(hub, '/api/status?agent=cursor')).body.servers;
        expect(status.map((one: { id: string; source: string }) => [one.id, one.source])).toEqual([['mine', 'stored']]);
      },
      {
        servers: { demo, web: { transport: 'http', url: 'http://localhost:1/mcp' } },
        executors: { ssh: { allow_stdio: false } },
        startup: { connect: 'lazy' },
      },
    );
  });
});
