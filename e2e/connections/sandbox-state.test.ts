import { join } from 'node:path';
import { createHost, type Host, type HostOptions } from '@junctor/core';
import { type Home, makeHome, promise, ROOT } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const CAPABILITY = 'codex/sandbox-state';

const server = (capabilities: object = {}) => ({
  transport: 'stdio',
  command: process.execPath,
  args: [join(ROOT, 'e2e', 'connections', 'peers', 'asking.ts'), JSON.stringify(capabilities)],
  trust: 'trusted',
});
const aware = server({ experimental: { [CAPABILITY]: { version: '1.0.0' } } });
const unaware = server({ experimental: { 'codex/other': {} } });

/** The agent is in the sandbox, and these servers are not: what they are told is the same. */
const outside: NonNullable<HostOptions['reroute']> = async servers =>
  new Map([...servers].map(([id, server]) => [id, { ...server, site: undefined }]));

/** The states a server was sent, in order. */
async function heard(host: Host, id: string): Promise<unknown[]> {
  const { output } = await host.call({ server: id, tool: 'heard' });
  return JSON.parse(output)
    .filter(({ method }: { method: string }) => method === `${CAPABILITY}/update`)
    .map(({ params }: { params: unknown }) => params);
}

async function withHost<T>(
  config: object,
  options: HostOptions,
  use: (host: Host, home: Home) => Promise<T>,
): Promise<T> {
  await using home = await makeHome();
  const path = await home.write('config.json', config);
  const surroundings = { cwd: home.project, home: home.path, env: {}, platform: process.platform };
  await using host = await createHost({ path, isolated: true, data: home.data, surroundings, ...options });
  return await use(host, home);
}

describe('the sandbox state', () => {
  promise(
    ['2.12a', '2.12b'],
    'is sent to every server with the capability, now or later, and to no other',
    async () => {
      const toplevel = server({ [CAPABILITY]: true });
      const servers = { aware, toplevel, unaware, refusing: server({ [CAPABILITY]: false }), later: aware };
      await withHost({ servers }, {}, async host => {
        for (const id of ['aware', 'toplevel', 'unaware', 'refusing']) expect(await heard(host, id)).toEqual([]);
        const state = { sandboxPolicy: { mode: 'read-only' }, sandboxCwd: '/work' };
        host.setSandboxState(state);
        host.setSandboxState({ sandboxPolicy: { mode: 'workspace-write' } });
        const both = [state, { sandboxPolicy: { mode: 'workspace-write' } }];
        expect(await heard(host, 'aware')).toEqual(both);
        expect(await heard(host, 'toplevel')).toEqual(both);
        expect(await heard(host, 'unaware')).toEqual([]);
        expect(await heard(host, 'refusing')).toEqual([]);
        // It was not there yet: it gets the state that holds, and gets it again when it has to be started anew.
        expect(await heard(host, 'later')).toEqual(both.slice(1));
        await host.links.close('later');
        expect(await heard(host, 'later')).toEqual(both.slice(1));
      });
    },
  );

  promise(
    ['2.12a', '2.12b'],
    'is sent when the sandbox policy of the config changes, without what it keeps secret',
    async () => {
      const config = (more: object) => ({
        servers: { aware, unaware },
        executors: { sandbox: { env_injection: { TOKEN: 'hunter2' }, env_server_wins: ['HOME'], ...more } },
      });
      const options: HostOptions = { executor: 'sandbox', agent: 'codex', reroute: outside };
      await withHost(config({ allow_ws: true }), options, async (host, home) => {
        const policy = {
          allow_stdio: true,
          allow_http: true,
          allow_sse: true,
          allow_streamable_http: true,
          allow_ws: true,
          stdio_proxy: false,
          http_url_rewrite: {},
        };
        const before = { executor: 'sandbox', policy };
        expect(await heard(host, 'aware')).toEqual([before]);
        await host.reload();
        expect(await heard(host, 'aware')).toEqual([before]);
        await home.write('config.json', config({ allow_ws: false }));
        await host.reload();
        const after = { executor: 'sandbox', policy: { ...policy, allow_ws: false } };
        expect(await heard(host, 'aware')).toEqual([before, after]);
        // What the program says stands beside it, and above it.
        host.setSandboxState({ cwd: '/work' });
        expect((await heard(host, 'aware')).at(-1)).toEqual({ ...after, cwd: '/work' });
        expect(await heard(host, 'unaware')).toEqual([]);
      });
    },
  );

  test('says nothing of a policy where the agent runs in no sandbox', async () => {
    const config = (allow_ws: boolean) => ({ servers: { aware }, executors: { sandbox: { allow_ws } } });
    await withHost(config(true), { sandboxState: { mode: 'none' } }, async (host, home) => {
      expect(await heard(host, 'aware')).toEqual([{ mode: 'none' }]);
      await home.write('config.json', config(false));
      await host.reload();
      expect(await heard(host, 'aware')).toEqual([{ mode: 'none' }]);
    });
  });
});
