/** In a team somebody else says yes: the audit names them, and an agent cannot say it for itself. */
import { junctor, makeHome, startHub } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { ASKING, answer, verdicts, waiting } from './asking.ts';
import { startJwtIssuer } from './jwt-issuer.ts';
import { type AnyHub, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

test('a call of an agent is allowed by a person, who is named by their token or their provider', async () => {
  await using home = await makeHome();
  await using issuer = await startJwtIssuer();
  await using hub = await startHub(home, ASKING, ['--issuer', issuer.url]);
  const as = (token: string): AnyHub => ({ ...hub, fetch: (path, init) => hub.fetch(path, { ...init, token }) });
  const tokenBy = async (...words: string[]) =>
    (await junctor(home, ['hub', 'token', '--data', home.data, ...words])).stdout.trim();
  const agent = as(await tokenBy('--agent', 'codex', '--name', 'laptop'));
  const ada = as(await tokenBy('--name', 'Ada'));
  const person = { aud: hub.url, scope: 'junctor:person', sub: '4711', email: 'bob@example.com' };
  const bob = as(await issuer.token(person));
  const client = await RawClient.open(agent, '/mcp/codex');
  const ask = async (id: number) => ({ running: client.call(id, 'demo_echo', { text: 'x' }), id: await idOf() });
  const idOf = async () => (await waiting(hub))[0]?.id as string;

  const first = await ask(1);
  expect((await answer(agent, first.id, { answer: 'once' })).status).toBe(403);
  expect((await answer(ada, first.id, { answer: 'once' })).status).toBe(200);
  await first.running;
  const second = await ask(2);
  expect((await answer(bob, second.id, { answer: 'once', from: 'page' })).status).toBe(200);
  await second.running;
  const { approvals } = (await rest(ada, '/api/approvals?state=all')).body;
  expect(approvals.map(({ by }: { by: string }) => by).sort()).toEqual([
    'over REST by Ada',
    'over REST by bob@example.com (4711)',
  ]);
  await expect
    .poll(() => verdicts(hub))
    .toEqual([
      ['once', 'answered over REST by Ada', 'done', null],
      ['once', 'answered over REST by bob@example.com (4711)', 'done', null],
    ]);
  const long = await junctor(home, ['hub', 'token', '--data', home.data, '--name', 'x'.repeat(65)]);
  expect([long.code, long.stderr]).toEqual([2, expect.stringContaining('64')]);
});
