/** What the design documents say of bundles, agents and plugins holds for the files themselves. */
import { createHost, loadMcpConfig, parseMcpConfig, resolve } from '@junctor/core';
import { junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { expect } from 'vitest';
import { json, server } from './commands.ts';

const surroundingsOf = (home: { project: string; path: string; env: Record<string, string> }) => ({
  cwd: home.project,
  home: home.path,
  env: home.env,
  platform: process.platform,
});

promise('1.9l', "an untrusted server's bundle without allowTools offers no tool", async () => {
  const config = { servers: { ts: testServer() }, bundles: { b: { serverId: 'ts', mode: 'direct' as const } } };
  await using host = await createHost({ overrides: { version: 1, ...config }, withoutDiscovery: true });
  expect((await host.tools()).map(({ server: id }) => id)).toEqual([]);
  expect(host.loaded.problems.map(({ message }) => message)).toEqual([
    "Bundle 'b' needs allowTools: its server 'ts' is untrusted. Until then it offers no tool.",
  ]);
});

promise('1.9m', 'parseMcpConfig refuses the bundles that validate refuses', () => {
  const servers = { ts: server('x'), ok: { ...server('x'), trust: 'trusted' } };
  expect(() => parseMcpConfig({ servers, bundles: { b: { serverId: 'nobody' } } })).toThrow(
    /names the server 'nobody'/,
  );
  expect(() => parseMcpConfig({ servers, bundles: { b: { serverId: 'ts' } } })).toThrow(/needs allowTools/);
  expect(parseMcpConfig({ servers, bundles: { b: { serverId: 'ok' } } }).bundles).toEqual({ b: { serverId: 'ok' } });
});

promise('1.4ag', 'servers of a kandev file with an agent_id are for that agent alone', async () => {
  await using home = await makeHome();
  const file = await home.write('agent.json', {
    agent_id: 'CODEX',
    enabled: true,
    servers: { fs: { type: 'stdio', command: 'x' } },
  });
  const config = await loadMcpConfig({ path: file, surroundings: surroundingsOf(home) });
  const given = (agent?: string) => [...resolve({ config, agent }).servers.keys()];
  expect([given('codex'), given('CODEX'), given(), given('cursor')]).toEqual([['fs'], ['fs'], ['fs'], []]);
  expect(resolve({ config, agent: 'cursor' }).leftOut).toMatchObject([
    { id: 'fs', because: "its file is for agent 'codex' alone" },
  ]);
  const { code, stdout, stderr } = await junctor(home, ['preflight', '--agent', 'cursor', '--config', file, 'fs/read']);
  expect([code === 0, stdout + stderr]).toEqual([false, expect.stringContaining("for agent 'codex' alone")]);
});

promise('1.6ad', 'a plugin manifest may say its name, version and description', async () => {
  await using home = await makeHome();
  const about = { name: 'plug', version: '1.2.0', description: 'x', author: { name: 'me' } };
  await home.write('config/junctor/plugins/plug/plugin.json', { ...about, servers: { p: server('x') } });
  const { servers, problems } = await json(home, 'mcp', 'list');
  expect([servers.map((one: { id: string }) => one.id), problems]).toEqual([['p'], []]);
  expect((await junctor(home, ['validate'])).code).toBe(0);
  await home.write('config/junctor/plugins/plug/plugin.json', { ...about, srevers: { p: server('x') } });
  expect((await junctor(home, ['validate'])).stderr).toContain("Unknown key 'srevers'. Did you mean 'servers'?");
});
