/** Executors whose settings do not say where programs start: nothing runs on this machine in their place. */
import { createHost } from '@junctor/core';
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
import { describe, expect } from 'vitest';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const WHY = "no settings of executor 'ssh' say where its program starts";
const FIX = 'set executors.ssh to { "ssh": { "host": "HOST" } }, or to { "local": true }';
const web = { transport: 'http', url: 'http://127.0.0.1:9/mcp' };

async function tokenOn(home: Home, executor: string) {
  const words = ['hub', 'token', '--data', home.data, '--agent', 'codex', '--executor', executor];
  const { stdout, stderr } = await junctor(home, words);
  return { token: stdout.trim(), said: stderr };
}

/** What a session on the executor is answered when it calls the server's tool. */
async function calledOn(home: Home, hub: RunningHub, executor: string): Promise<string> {
  const { token } = await tokenOn(home, executor);
  const client = await RawClient.open({ fetch: (to, init) => hub.fetch(to, { ...init, token }) }, '/mcp/codex');
  await client.messages({ id: 'list', method: 'tools/list' });
  return JSON.stringify(await client.call('echo', 'demo_echo', { text: 'it ran' }));
}

describe('an executor that does not say where programs start', () => {
  promise(['5.5o', '5.2l'], 'starts none, and hub, REST, command line and library say so', async () => {
    await using home = await makeHome();
    const config = { version: 1, startup: { connect: 'lazy' }, servers: { demo: trusted(testServer()), web } };
    await home.write('config/junctor/config.json', config);
    await using hub = await startHub(home, config);
    for (const executor of ['docker', 'ssh', 'k8s']) {
      const { said } = await tokenOn(home, executor);
      expect(said).toContain(`no settings of executor '${executor}' say where programs start, so none does`);
      const answer = await calledOn(home, hub, executor);
      expect([executor, answer]).toEqual([executor, expect.stringContaining(`no settings of executor '${executor}'`)]);
      expect(answer).not.toContain('it ran');
    }
    // A policy alone is no place either, under any name.
    const remote = '/api/executors/remote_docker';
    const policy = { method: 'PUT', body: { allow_stdio: true } };
    expect((await rest(hub, remote)).status).toBe(404);
    expect((await rest(hub, remote, { method: 'DELETE' })).status).toBe(404);
    expect((await rest(hub, '/api/agents/codex/executors/remote_docker', { method: 'DELETE' })).status).toBe(404);
    expect((await rest(hub, remote, policy)).status).toBe(200);
    expect(await calledOn(home, hub, 'remote_docker')).toContain("no settings of executor 'remote_docker'");
    await rest(hub, remote, { ...policy, body: { local: true } });
    expect(await calledOn(home, hub, 'remote_docker')).toContain('it ran');

    const { body: resolved } = await rest(hub, '/api/resolve?agent=codex&executor=ssh');
    expect(resolved.servers.map(({ name }: { name: string }) => name)).toEqual(['demo', 'web']);
    expect(resolved.warnings).toEqual([{ server: 'demo', message: expect.stringContaining(`${WHY}: ${FIX}`) }]);
    const { body: listed } = await rest(hub, '/api/executors');
    const runs = Object.fromEntries(
      listed.executors.map((one: { executor: string; runs: string | null }) => [one.executor, one.runs]),
    );
    const here = 'started on this machine';
    expect(runs).toEqual({
      ...{ local: here, docker: null, ssh: null, k8s: null, remote_docker: here },
      sandbox: expect.stringContaining('started in a sandbox on this machine'),
    });
    const { body: cells } = await rest(hub, '/api/feasibility/codex');
    const column = cells.executors.indexOf('ssh');
    expect(cells.servers.map((one: { on: object[] }) => one.on[column])).toEqual([
      { mode: null, because: WHY },
      { mode: 'shared', because: null },
    ]);

    const { stdout: explained } = await junctor(home, ['explain', 'demo', '--executor', 'ssh']);
    expect(explained).toContain(`left out on executor 'ssh': ${WHY}`);
    for (const more of [[], ['--hub', '--agent', 'codex']]) {
      const preflight = await junctor(home, ['preflight', 'demo/echo', '--executor', 'ssh', ...more]);
      expect([preflight.code, preflight.stdout]).toEqual([1, expect.stringContaining(WHY)]);
      expect(preflight.stdout).toContain(FIX);
    }
    const doctor = await junctor(home, ['doctor', 'demo', '--executor', 'ssh']);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(WHY)]);
    expect(doctor.stdout).not.toContain('spawned');
    const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
    await using host = await createHost({ surroundings, data: home.data, executor: 'ssh', connect: 'lazy' });
    expect(host.resolution.leftOut).toMatchObject([{ id: 'demo', kind: 'policy', because: WHY }]);
  });

  promise('5.5p', 'shows the address that the hub uses for its sessions beside the one of agents there', async () => {
    await using home = await makeHome();
    const port = 9;
    const rewrite = { http_url_rewrite: { 'wrong.invalid': '127.0.0.1' } };
    const config = {
      version: 1,
      startup: { connect: 'lazy' },
      servers: { web: { transport: 'http', url: `http://wrong.invalid:${port}/mcp` } },
      executors: { ssh: rewrite, here: { ...rewrite, local: true } },
    };
    await home.write('config/junctor/config.json', config);
    await using hub = await startHub(home, config);
    const shown = async (executor: string) =>
      (await rest(hub, `/api/resolve?agent=codex&executor=${executor}`)).body.servers[0];
    const [there, here] = [`http://wrong.invalid:${port}/mcp`, `http://127.0.0.1:${port}/mcp`];
    expect(await shown('ssh')).toMatchObject({ endpoint: here, hub_endpoint: there });
    expect((await shown('here')).hub_endpoint).toBeUndefined();
    const explained = async (executor: string) =>
      (await junctor(home, ['explain', 'web', '--executor', executor])).stdout;
    expect(await explained('ssh')).toContain(`at ${here}, through the hub at ${there}`);
    expect(await explained('here')).not.toContain('through the hub');
    // What is shown is what sessions use.
    const met = async (executor: string): Promise<string> => {
      const { token } = await tokenOn(home, executor);
      const session = RawClient.open({ fetch: (to, init) => hub.fetch(to, { ...init, token }) }, '/servers/web/mcp');
      return session.then(String, String);
    };
    expect(await met('ssh')).toContain(`could not be reached at ${new URL(there).origin}`);
    expect(await met('here')).toContain(`could not be reached at ${new URL(here).origin}`);
  });
});
