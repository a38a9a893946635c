/** An entry that is written wrongly takes no restriction away: not its own, and not that of the entries beside it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost, type HostOptions } from '@junctor/core';
import { type Home, junctor, makeHome, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { startHubHere } from '../hub/hub-here.ts';
import { rest } from '../hub/rest-client.ts';

const USER = 'config/junctor/config.json';
const servers = { demo: trusted(testServer()), other: trusted(testServer()) };

async function hostFor(home: Home, agent?: string, options: HostOptions = {}) {
  const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
  return await createHost({ surroundings, data: home.data, agent, connect: 'lazy', ...options });
}

/** Where a text stands in the user's file. */
async function placeOf(home: Home, text: string) {
  const lines = (await readFile(join(home.path, USER), 'utf8')).split('\n');
  const line = lines.findIndex(one => one.includes(text));
  return { line: line + 1, column: (lines[line]?.indexOf(text) ?? 0) + 1 };
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
  expect([preflight.code, preflight.stdout]).toEqual([
    1,
    expect.stringContaining('mend it there; junctor validate says what is left to mend'),
  ]);
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

test('patterns under a key of permissions that nobody knows are denied, and it is said where and why', async () => {
  await using home = await makeHome();
  const permissions = { denny: ['mcp__demo__echo'], allow: ['mcp__demo__*'], mcp__other__fail: 'deny' };
  await home.write(USER, { servers, permissions });
  const call = await junctor(home, ['mcp', 'call', 'demo', 'echo', '--args', '{"text":"x"}', '--yes']);
  expect([call.code, call.stderr]).toEqual([1, expect.stringContaining('permission_denied')]);
  const mistake =
    "permissions.denny: Unknown key 'denny'. What it names is denied until it is mended. Did you mean 'deny'?";
  expect((await junctor(home, ['validate'])).stderr).toContain(mistake);
  await using host = await hostFor(home);
  expect(host.loaded.frame.permissions).toEqual({
    allow: ['mcp__demo__*'],
    deny: ['mcp__demo__echo', 'mcp__other__fail'],
  });
  const { stdout } = await junctor(home, ['explain', 'demo/echo', '--json']);
  expect(JSON.parse(stdout).call.at.place).toEqual(await placeOf(home, '"mcp__demo__echo"'));
});

test.for([
  [
    { permissions: ['mcp__demo__echo', { any: 'mcp__other__echo' }] },
    { deny: ['mcp__demo__echo', 'mcp__other__echo'] },
  ],
  [{ permission: { deny: 'mcp__demo__echo', allow: ['mcp__*'] } }, { deny: ['mcp__demo__echo'] }],
  [{ permissions: { Deny: { tools: ['mcp__demo__echo('] } } }, { deny: ['mcp__demo__echo('] }],
])('rules in the wrong place take away what they name: %j', async ([frame, expected]) => {
  await using home = await makeHome();
  await home.write(USER, { servers, ...frame });
  await using host = await hostFor(home);
  expect(host.loaded.frame.permissions).toEqual(expected);
});

test('a switch of the whole config that is neither true nor false is off, in every dialect, and says so', async () => {
  const kandev = { demo: { type: 'stdio', command: 'x' } };
  const codeAgent = (mcp: object) => ({ mcp: { servers: kandev, ...mcp } });
  const files: [file: string, content: object, path: string][] = [
    [USER, { servers, enabled: 'false' }, 'enabled'],
    [USER, { servers, enabled: 0 }, 'enabled'],
    [USER, { servers, enabled: null }, 'enabled'],
    [USER, { servers, enable: false }, 'enable'],
    ['.code_agent/config.json', codeAgent({ enabled: 'no' }), 'mcp.enabled'],
    ['.code_agent/config.json', codeAgent({ enabeld: false }), 'mcp.enabeld'],
    ['project/kandev.json', { servers: kandev, enabled: 'false' }, 'enabled'],
    ['project/kandev.json', { servers: kandev, enabeld: false }, 'enabeld'],
  ];
  for (const [file, content, path] of files) {
    await using home = await makeHome();
    await home.write(file, content);
    const isProject = file.startsWith('project/');
    await using host = await hostFor(home, undefined, isProject ? { path: 'kandev.json', dialect: 'kandev' } : {});
    expect([file, path, [...host.resolution.servers.keys()]]).toEqual([file, path, []]);
    const { because } = host.resolution.leftOut[0] ?? {};
    expect(because).toContain(`MCP is switched off, since it is not clear whether it is to be on: `);
    expect(because).toContain(` ${path}: `);
    expect(because).toContain('No server is connected until it is mended.');
  }
});

test('an entry of a higher layer that is written wrongly does not let the server of a lower one run instead', async () => {
  await using home = await makeHome();
  await home.write(USER, { servers });
  await home.write('project/junctor.json', {
    servers: { demo: { enabled: 'false' }, other: { tools: { deny: ['echo'] } }, lonely: { enabled: 1 } },
  });
  const demo = await junctor(home, ['mcp', 'call', 'demo', 'echo', '--args', '{"text":"x"}', '--yes']);
  const other = await junctor(home, ['mcp', 'tools', 'other']);
  expect([demo.code, demo.stdout, other.code, other.stdout]).toEqual([1, '', 1, '']);
  expect(demo.stderr).toContain(
    `servers.demo.enabled: 'enabled' is neither true nor false. Found "false". The server is off until it is mended.`,
  );
  expect(other.stderr).toContain("junctor.json:6:5 servers.other.transport: Missing 'transport' in server 'other'.");
  await using host = await hostFor(home);
  expect(host.loaded.problems.map(({ path }) => path)).toEqual([
    'servers.demo.enabled',
    'servers.other.transport',
    'servers.lonely.enabled',
  ]);
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
