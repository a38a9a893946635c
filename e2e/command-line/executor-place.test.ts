/** Servers that are to run somewhere else never run on this machine instead: not unapproved, not by a slip of the pen. */
import { chmod } from 'node:fs/promises';
import { createHost } from '@junctor/core';
import { type Home, junctor, makeHome, testServer } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { startHubHere } from '../hub/hub-here.ts';

const demo = testServer();
const box = { docker: { image: 'box:1' } };
const USER = 'config/junctor/config.json';

async function doctor(home: Home, executor: string): Promise<string> {
  return (await junctor(home, ['doctor', 'demo', '--executor', executor])).stdout;
}

test('a place that came with a project waits for approval, and its servers with it', async () => {
  await using home = await makeHome();
  await home.write(USER, { servers: { demo, web: { transport: 'http', url: 'http://127.0.0.1:1/mcp' } } });
  await home.write('project/junctor.json', { executors: { box, strict: { allow_stdio: false } } });
  for (const executor of ['box', 'strict']) {
    const said = await doctor(home, executor);
    expect(said).toContain(`executor '${executor}' is set up in ${home.path}/project/junctor.json`);
    expect(said).toContain('junctor trust add --rules');
    expect(said).not.toContain('spawned');
  }
  const preflight = await junctor(home, ['preflight', 'demo/echo', '--executor', 'box']);
  expect([preflight.code, preflight.stdout]).toEqual([3, expect.stringContaining('try: junctor trust add --rules')]);
  const { stdout } = await junctor(home, ['explain', 'demo', '--executor', 'box']);
  expect(stdout).toContain('nobody has approved that yet: junctor trust add --rules');
  const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
  await using host = await createHost({ surroundings, data: home.data, executor: 'box', connect: 'lazy' });
  expect(host.resolution.leftOut).toMatchObject([{ id: 'demo', kind: 'waiting' }]);
  expect([...host.resolution.servers.keys()]).toEqual(['web']);
  await junctor(home, ['trust', 'add', '--rules']);
  expect(await doctor(home, 'box')).toContain('started in a container of box:1');
});

test('settings of a sandbox that wait are what doctor hints at, and a hub sees a place that waits', async () => {
  await using home = await makeHome();
  await home.write(USER, { servers: { demo: { ...demo, command: await home.write('bin/hidden', '#!/bin/sh\n') } } });
  await chmod(`${home.path}/bin/hidden`, 0o755);
  await home.write('project/junctor.json', { executors: { box, sandbox: { sandbox: { readable: ['~/bin'] } } } });
  const said = await doctor(home, 'sandbox');
  expect(said).toContain('junctor trust add --rules');
  expect(said).not.toContain('to readable in');
  await using _hub = await startHubHere(home);
  const { code, stdout } = await junctor(home, ['preflight', 'demo/echo', '--executor', 'box', '--hub']);
  expect([code, stdout]).toEqual([3, expect.stringContaining('try: junctor trust add --rules')]);
});

test('an executor that no file names is told apart from one that is there', async () => {
  await using home = await makeHome();
  await home.write(USER, { servers: { demo }, executors: { box }, agents: { codex: { executors: { own: box } } } });
  for (const words of [['doctor'], ['explain', 'demo'], ['explain', 'demo/echo'], ['preflight', 'demo/echo']]) {
    const { code, stderr } = await junctor(home, [...words, '--executor', 'boxx']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("There is no executor 'boxx'. (usage)")]);
    expect(stderr).toContain('known executors: local, docker, ssh, k8s, sandbox, box, own');
    expect(stderr).toContain("did you mean 'box'?");
  }
  const { stderr } = await junctor(home, ['hub', 'token', '--agent', 'codex', '--executor', 'boxx']);
  expect(stderr).toContain("executor 'boxx' is in none of your files");
});

test('an executor that is written wrongly runs nothing, and others beside it count', async () => {
  await using home = await makeHome();
  const wrong = {
    misspelt: { sandbox: { netwrk: true } },
    nothing: { docker: {} },
    both: { docker: { image: 'a', container: 'b' } },
    two: { ...box, ssh: { host: 'far' } },
  };
  await home.write(USER, { servers: { demo }, executors: { ...wrong, box } });
  const { stderr } = await junctor(home, ['validate']);
  expect(stderr).toContain("executors.misspelt.sandbox.netwrk: Unknown key 'netwrk'. Did you mean 'network'?");
  for (const name of ['nothing', 'both'])
    expect(stderr).toContain(`executors.${name}.docker: Name an image, or a container that runs: one of the two.`);
  expect(stderr).toContain('executors.two: docker, ssh, sandbox, k8s, local: an executor has one of them');
  expect(await doctor(home, 'misspelt')).toContain("transport stdio is not allowed by executor 'misspelt'");
  expect(await doctor(home, 'box')).toContain('started in a container of box:1');
});
