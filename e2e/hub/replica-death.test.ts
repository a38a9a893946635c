/** A hub of several on one PostgreSQL is killed; its clients go on through another one. */
import { makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { type Balancer, startBalancer } from './balancer.ts';
import { onePostgres } from './one-postgres.ts';
import { asPosted, configOf, post, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';
import { sdkPeer } from './sdk-peer.ts';
import { settled } from './settled.ts';

const demo = trusted(testServer());
const { missing, postgres } = onePostgres();

/** A hub, as who comes by way of the balancer sees it. */
function behind({ url }: Balancer, token: string): Pick<RunningHub, 'url' | 'token' | 'fetch'> {
  return {
    url,
    token,
    fetch: (path, init = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { ...(init.headers as object), authorization: `Bearer ${token}` } }),
  };
}

promise('5.9d', 'a client whose hub is killed goes on through another one, and nothing is lost', async context => {
  context.skip(missing !== undefined, missing);
  await using one = await makeHome();
  await using other = await makeHome();
  const config = { version: 1, servers: { demo, asks: testServer() } };
  const database = ['--database', postgres.create('death')];
  const [dies, lives] = (await Promise.all([one, other].map(home => startHub(home, config, database)))) as [
    RunningHub,
    RunningHub,
  ];
  await using _dies = dies;
  await using _lives = lives;
  await using balancer = await startBalancer([dies.url, lives.url]);
  const servers = { mine: asPosted(demo), asks: asPosted(testServer()) };
  await post(dies, 'codex', { enabled: true, servers });
  await settled(dies, 'codex');
  const { token } = (await rest(dies, '/api/tokens', { method: 'POST', body: { agent: 'codex' } })).body;
  const door = behind(balancer, token);
  const client = await RawClient.open(door, '/mcp/codex');
  await using legacy = await sdkPeer(door, '/mcp/codex', { era: 'legacy' });
  await using modern = await sdkPeer(door, '/mcp/codex', { era: 'modern' });
  const text = async (peer: typeof legacy, said: string) =>
    (await peer.client.callTool({ name: 'mine_echo', arguments: { text: said } })).content;
  const echoed = (said: string) => [{ type: 'text', text: said }];
  expect([await text(legacy, 'a'), await text(modern, 'b')]).toEqual([echoed('a'), echoed('b')]);
  expect((await client.call(1, 'mine_echo', { text: 'c' }))[0]?.result).toEqual({ content: echoed('c') });

  // One call is under way, and one waits for a yes.
  const lost = Promise.allSettled([
    client.call(2, 'mine_slow', { ms: 60_000 }),
    client.call(3, 'asks_echo', { text: 'x' }),
  ]);
  const waiting = async () => (await rest(lives, '/api/approvals')).body.approvals;
  const running = async () =>
    (await rest(dies, '/api/calls')).body.running.filter(({ sent }: { sent: boolean }) => sent);
  await expect.poll(async () => [(await waiting()).length, (await running()).length]).toEqual([1, 1]);
  const [{ id: question }] = await waiting();
  const over = new Promise(resolve => dies.process.once('exit', resolve));
  dies.process.kill('SIGKILL');
  await over;
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);

  // The same session, greeted once: it is taken up before the hub is even known to be gone.
  expect((await client.call(4, 'mine_echo', { text: 'd' })).at(-1)?.result).toEqual({ content: echoed('d') });
  expect([await text(legacy, 'e'), await text(modern, 'f')]).toEqual([echoed('e'), echoed('f')]);
  expect((await configOf(lives, 'codex')).body).toEqual({ agent_id: 'codex', enabled: true, servers });
  const sessions = (await rest(lives, '/api/sessions?agent=codex&open=true')).body.sessions;
  expect(sessions.map(({ id }: { id: string }) => id)).toContain(client.session);
  await post(lives, 'codex', { enabled: true, servers: { ...servers, more: asPosted(demo) } });
  await expect.poll(() => legacy.heard.map(({ method }) => method)).toContain('notifications/tools/list_changed');

  const answers = async () => (await rest(lives, '/api/approvals?state=all')).body.approvals;
  await expect
    .poll(answers)
    .toMatchObject([{ id: question, outcome: 'expired', note: 'the hub where its call waited is gone' }]);
  const late = await rest(lives, `/api/approvals/${question}`, { method: 'POST', body: { answer: 'once' } });
  expect(late.status).toBe(409);
  const outcomes = async () =>
    (await rest(lives, '/api/calls')).body.calls
      .filter(({ session }: { session: string }) => session === client.session)
      .map(({ tool, outcome }: { tool: string; outcome: string }) => `${tool} ${outcome}`)
      .sort();
  await expect.poll(outcomes).toEqual(['echo done', 'echo done', 'echo not_sent', 'slow unknown']);
});
