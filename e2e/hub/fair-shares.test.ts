/** One agent cannot take what all share: sessions, instances of servers, what is stored. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { textOf } from '../command-line/sdk-client.ts';
import { modernPost } from './modern-rpc.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const OWN = { version: 1, servers: { own: { ...trusted(testServer()), mode: 'per_session' } } };

async function tokenOf(hub: RunningHub, agent: string): Promise<string> {
  return (await rest(hub, '/api/tokens', { method: 'POST', body: { agent } })).body.token;
}

const as = (hub: RunningHub, token: string) => ({
  fetch: (path: string, init?: RequestInit) => hub.fetch(path, { ...init, token }),
});

promise('10.8k', 'an agent that opens sessions without end evicts its own, and nobody else notices', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, OWN);
  const victims = await tokenOf(hub, 'codex');
  const victim = await RawClient.open(as(hub, victims), '/mcp/codex');
  const slow = victim.post({
    id: 'slow',
    method: 'tools/call',
    params: { name: 'own_slow', arguments: { ms: 600_000 } },
  });
  await expect.poll(async () => (await rest(hub, '/api/calls')).body.running.length).toBe(1);
  const token = await tokenOf(hub, 'cursor');
  const own = await RawClient.open(as(hub, token), '/mcp/cursor');
  const ownSlow = own.post({
    id: 'slow',
    method: 'tools/call',
    params: { name: 'own_slow', arguments: { ms: 600_000 } },
  });
  await expect.poll(async () => (await rest(hub, '/api/calls')).body.running.length).toBe(2);

  // More than the hub keeps of everybody together.
  const names = Array.from({ length: 10_100 }, (_, at) => `client-${at}`).values();
  const flood = async (): Promise<void> => {
    for (const name of names) {
      const meta = { 'io.modelcontextprotocol/clientInfo': { name, version: '1' } };
      const answer = await modernPost(hub, '/mcp/cursor', { method: 'server/discover', meta, token });
      expect(answer.status, await answer.text()).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 16 }, flood));

  // Calls run on, in the session of the victim and in the one of the agent itself.
  expect((await rest(hub, '/api/calls')).body.running).toHaveLength(2);
  expect(textOf((await victim.call('echo', 'own_echo', { text: 'still here' }))[0]?.result ?? {})).toBe('still here');
  const sessions = (): number => {
    using database = new DatabaseSync(join(home.data, 'hub.db'), { readOnly: true });
    return Number(database.prepare('select count(*) as count from sessions').get()?.count);
  };
  // What was evicted leaves nothing behind.
  await expect.poll(sessions).toBeLessThanOrEqual(1010);
  for (const [path, client, whose] of [
    ['/mcp/codex', victim, victims],
    ['/mcp/cursor', own, token],
  ] as const)
    await hub.fetch(path, { method: 'DELETE', token: whose, headers: { 'mcp-session-id': client.session } });
  for (const answer of [slow, ownSlow]) await (await answer).text();
});

promise('10.8l', 'an agent that takes all instances of a server leaves some to others', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, OWN, ['--max-instances', '8']);
  const pidOf = async (client: RawClient): Promise<string> =>
    JSON.stringify((await client.call('pid', 'own_pid', {}))[0] ?? {});
  const greedy = await tokenOf(hub, 'cursor');
  const pids: string[] = [];
  for (let at = 0; at < 8; at++) pids.push(await pidOf(await RawClient.openFirst(as(hub, greedy), '/mcp/cursor')));
  expect(pids.filter(answer => answer.includes('for this token'))).toHaveLength(1);
  // Two owners more than there would be room for: what is not in use makes way.
  for (const agent of ['codex', 'gemini', 'zed']) {
    const token = await tokenOf(hub, agent);
    expect(await pidOf(await RawClient.open(as(hub, token), `/mcp/${agent}`))).toContain('"text"');
  }
});
