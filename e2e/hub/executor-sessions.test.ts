/** Sessions of agents that run elsewhere: their token says where, and what holds there holds for them. */
import { everything, JUNCTOR, junctor, makeHome, startHub, trusted } from '@junctor/testkit';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { obligingClient, textOf } from '../command-line/sdk-client.ts';
import { asPosted, post } from './rest-client.ts';
import { RawClient } from './rpc.ts';

test('a token names the executor of its sessions, at every door', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, {
    version: 1,
    startup: { connect: 'lazy' },
    servers: { demo: trusted(everything()) },
    executors: { box: { local: true, env_injection: { WHERE: 'in the box' } } },
  });
  const tokenOn = async (...executor: string[]): Promise<string> =>
    (await junctor(home, ['hub', 'token', '--data', home.data, '--agent', 'codex', ...executor])).stdout.trim();
  const [here, inBox] = [await tokenOn(), await tokenOn('--executor', 'box')];
  const whereOf = async (token: string): Promise<string | undefined> => {
    const client = await RawClient.open(
      { fetch: (path, init) => hub.fetch(path, { ...init, token }) },
      '/servers/demo/mcp',
    );
    const answers = await client.call(1, 'get-env', {});
    return JSON.parse(textOf(answers.at(-1)?.result ?? {})).WHERE;
  };
  expect([await whereOf(here), await whereOf(inBox)]).toEqual([undefined, 'in the box']);
  const client = obligingClient('legacy');
  const env = { ...home.env, JUNCTOR_TOKEN: inBox };
  const args = [JUNCTOR, 'connect', 'codex', '--data', home.data];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: home.project }));
  await expect.poll(async () => (await client.listTools()).tools.map(({ name }) => name)).toContain('demo_get-env');
  const seen = textOf(await client.callTool({ name: 'demo_get-env', arguments: {} }));
  expect(JSON.parse(seen).WHERE).toBe('in the box');
  // Servers of its own are there too: at no moment, and for nobody who comes meanwhile, on this machine.
  const own = { enabled: true, servers: { demo: asPosted(trusted(everything())) } };
  expect((await post(hub, 'codex', own)).status).toBe(200);
  const again = textOf(await client.callTool({ name: 'demo_get-env', arguments: {} }));
  expect([JSON.parse(again).WHERE, await whereOf(inBox)]).toEqual(['in the box', 'in the box']);
  await client.close();
  // What is set for the executor now holds for whoever comes next.
  const body = JSON.stringify({ local: true, env_injection: { WHERE: 'in another box' } });
  const headers = { 'content-type': 'application/json' };
  expect((await hub.fetch('/api/executors/box', { method: 'PUT', headers, body })).ok).toBe(true);
  expect(await whereOf(inBox)).toBe('in another box');
  expect((await junctor(home, ['hub', 'token', '--executor', 'box'])).code).toBe(2);
});

test('a program that an executor needs and that is missing is named', async () => {
  await using home = await makeHome();
  home.env.PATH = home.path;
  const executors = { crate: { docker: { image: 'some-image' } } };
  const config = { version: 1, servers: { demo: trusted(everything()) }, executors };
  const file = await home.write('config.json', config);
  const { code, stdout } = await junctor(home, ['doctor', 'demo', '--executor', 'crate', '--config', file]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("Executor 'crate' cannot run server 'demo'.")]);
  expect(stdout).toContain("it starts servers by the program 'docker', which is not on PATH here");
  expect(stdout).toContain('install docker on this machine, or choose another executor');
});
