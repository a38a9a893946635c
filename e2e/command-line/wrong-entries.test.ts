/** An entry that is written wrongly takes no restriction away: not its own, and not that of the entries beside it. */
import { createHost } from '@junctor/core';
import { type Home, junctor, makeHome, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { startHubHere } from '../hub/hub-here.ts';
import { rest } from '../hub/rest-client.ts';

const USER = 'config/junctor/config.json';
const servers = { demo: trusted(testServer()), other: trusted(testServer()) };

async function hostFor(home: Home, agent?: string) {
  const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
  return await createHost({ surroundings, data: home.data, agent, connect: 'lazy' });
}

test('an agent that is written wrongly gets no servers and says why, and others beside it keep their list', async () => {
  await using home = await makeHome();
  const agents = { Codex: { servrs: ['demo'] }, gemini: { servers: ['demo'] } };
  await home.write(USER, { servers, agents });
  const mistake = "agents.Codex.servrs: Unknown key 'servrs'. Did you mean 'servers'?";
  expect((await junctor(home, ['validate'])).stderr).toContain(mistake);
  const { stdout } = await junctor(home, ['explain', 'demo', '--agent', 'codex']);
  expect(stdout).toContain("agent 'codex' is written wrongly, so it gets no servers");
  const preflight = await junctor(home, ['preflight', 'demo/echo', '--agent', 'codex']);
  expect([preflight.code, preflight.stdout]).toEqual([1, expect.stringContaining('look with: junctor validate')]);
  await using codex = await hostFor(home, 'codex');
  expect([...codex.resolution.servers.keys()]).toEqual([]);
  await using gemini = await hostFor(home, 'gemini');
  expect([...gemini.resolution.servers.keys()]).toEqual(['demo']);
  await using hub = await startHubHere(home);
  const { layers } = (await rest(hub, '/api/config/layers')).body;
  expect(layers[0].problems).toMatchObject([{ path: 'agents.Codex.servrs' }]);
  const statusOf = async (agent: string) => (await rest(hub, `/api/status?agent=${agent}`)).body.servers;
  expect([await statusOf('codex'), await statusOf('gemini')]).toMatchObject([[], [{ id: 'demo' }]]);
  const feasible = (await rest(hub, '/api/feasibility/codex')).body.servers[0];
  expect(feasible.on[0]).toMatchObject({ mode: null, because: expect.stringContaining('agents.Codex.servrs') });
});

test('a rule or bundle that is written wrongly lets nothing through', async () => {
  await using home = await makeHome();
  await home.write(USER, {
    servers,
    permissions: { deny: 'mcp__demo__echo', ask: ['mcp__other__echo', 7], allow: 'mcp__other__*' },
    bundles: { wrong: { serverId: 'demo', allowTool: ['echo'] }, good: { serverId: 'other', allowTools: ['echo'] } },
    client_profiles: { wrong: { nonsense: 1 } },
  });
  await using host = await hostFor(home);
  expect(host.loaded.frame.permissions).toEqual({ deny: ['mcp__demo__echo'], ask: ['mcp__other__echo'] });
  const offered = (await host.snapshot()).byName.values();
  expect([...offered].map(({ server, tool }) => `${server}/${tool}`)).toEqual(['other/echo']);
});
