/** Agents with configs of their own share an equal server: one process, whoever stored its definition. */
import { makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { crowdRun } from './crowd-run.ts';
import { asPosted, post, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';
import { settled } from './settled.ts';

const demo = { ...trusted(testServer()), mode: 'shared' };

async function stored(hub: RunningHub, agent: string, servers: Readonly<Record<string, { transport: string }>>) {
  const posted = Object.fromEntries(Object.entries(servers).map(([id, server]) => [id, asPosted(server)]));
  expect((await post(hub, agent, { enabled: true, servers: posted })).status).toBe(200);
  await settled(hub, agent);
}

async function tellsPid(client: RawClient): Promise<string> {
  const [message] = await client.call('pid', 'demo_pid', {});
  const { content } = (message as { result: { content: { text: string }[] } }).result;
  return content[0]?.text ?? '';
}

const pidAt = async (hub: RunningHub, agent: string) => tellsPid(await RawClient.open(hub, `/mcp/${agent}`));

promise('5.4j', 'two agents with stored configs and the config file use one process of an equal server', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { version: 1, servers: { demo } });
  // What an agent is offered and may run without asking says nothing about the process.
  await stored(hub, 'codex', { demo });
  await stored(hub, 'cursor', { demo: { ...demo, tools: { allow: ['pid'] } } as typeof demo });
  const pids = [await pidAt(hub, 'claude-code'), await pidAt(hub, 'codex'), await pidAt(hub, 'cursor')];
  expect(new Set(pids).size).toBe(1);
  const { instances } = (await rest(hub, '/api/instances?server=demo')).body;
  expect(instances).toMatchObject([{ server: 'demo', sessions: [{}, {}, {}] }]);
  // Each agent is still offered what its own config says.
  const cursor = await RawClient.open(hub, '/mcp/cursor');
  const [listed] = await cursor.messages({ id: 1, method: 'tools/list' });
  const { tools } = (listed as { result: { tools: { name: string }[] } }).result;
  expect(tools.map(({ name }) => name)).toEqual(['demo_pid']);
  // The process lives as long as one of them has it.
  const codex = await RawClient.open(hub, '/mcp/codex');
  expect((await rest(hub, '/api/servers/demo', { method: 'PATCH', body: { enabled: false } })).status).toBe(200);
  expect((await rest(hub, '/api/mcp-config?agent=cursor', { method: 'DELETE' })).status).toBe(200);
  expect(await tellsPid(codex)).toBe(pids[0]);
});

test('a server with another environment is another process', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { version: 1, servers: { demo } });
  await stored(hub, 'codex', { demo: { ...demo, env: { TOKEN: 'of codex' } } as typeof demo });
  expect(await pidAt(hub, 'codex')).not.toBe(await pidAt(hub, 'cursor'));
});

test('a server of each session is a process of each session, whichever agent it is of', async () => {
  await using home = await makeHome();
  const own = { ...demo, mode: 'per_session' };
  await using hub = await startHub(home, { version: 1, servers: { demo: own } });
  await stored(hub, 'codex', { demo: own });
  const [one, two] = [await RawClient.open(hub, '/mcp/codex'), await RawClient.open(hub, '/mcp/cursor')];
  expect(await tellsPid(one)).not.toBe(await tellsPid(two));
});

promise(
  ['7.2a', '7.2b', '7.2c', '7.2d', '7.2e', '7.2i'],
  'nothing crosses between sessions of agents that share a process: answers, progress, questions, log lines',
  async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo } });
    await stored(hub, 'codex', { demo });
    await stored(hub, 'cursor', { demo });
    const agents = ['codex', 'cursor', 'claude-code'];
    const { wrong, astray, pids } = await crowdRun(hub, 'demo', { sessions: 12, callsEach: 10, agents });
    expect({ wrong, astray, processes: pids.size }).toEqual({ wrong: [], astray: [], processes: 1 });
  },
  300_000,
);
