/** What is allowed for always at the hub, and the inbox of several hubs, in either database. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { answer, resultOf, said, type Waiting, waiting } from './asking.ts';
import { onePostgres } from './one-postgres.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const { missing, postgres } = onePostgres();

/** Trusted, so that results come as they are. */
const configOf = (demo: object) => ({ version: 1, servers: { demo: trusted(demo) }, permissions: { ask: ['mcp__*'] } });
const CONFIG = configOf(testServer());

async function call(hub: RunningHub, text: string): Promise<unknown> {
  return resultOf(await (await RawClient.open(hub, '/mcp/codex')).call(1, 'demo_echo', { text }));
}

async function grantsOf(hub: RunningHub): Promise<{ id: string; server: string; tool: string }[]> {
  return (await rest(hub, '/api/grants')).body.grants;
}

/** Allows echo for always in one life of the hub, and tries it in the next. */
async function allowAndComeBack(home: Home, args: readonly string[]): Promise<void> {
  {
    await using hub = await startHub(home, CONFIG, args);
    const calling = call(hub, 'asked');
    const [open] = (await waiting(hub)) as [Waiting];
    await answer(hub, open.id, { answer: 'always' });
    expect(await calling).toEqual(said('asked'));
    expect(await grantsOf(hub)).toMatchObject([{ server: 'demo', tool: 'echo' }]);
  }
  await using hub = await startHub(home, CONFIG, args);
  expect(await call(hub, 'not asked')).toEqual(said('not asked'));
  await expect(stat(join(home.data, 'grants.json'))).rejects.toThrow('ENOENT');
}

describe('what is allowed for always at the hub', () => {
  promise(
    ['9.9f', '3.4p'],
    'is kept in its database, bound to the tool and its server, and can be taken back',
    async () => {
      await using home = await makeHome();
      await allowAndComeBack(home, []);
      {
        // The same id, started in another way, is another server.
        const other = { ...testServer(), env: { SOMETHING: 'else' } };
        await using hub = await startHub(home, configOf(other));
        const calling = call(hub, 'x');
        const [open] = (await waiting(hub)) as [Waiting & { because: string }];
        expect(open.because).toContain("the definition of server 'demo' changed since the tool was allowed on");
        await answer(hub, open.id, { answer: 'deny' });
        expect(await calling).toMatchObject({ isError: true });
      }
      await using hub = await startHub(home, CONFIG);
      const [grant] = await grantsOf(hub);
      expect((await rest(hub, `/api/grants/${grant?.id}`, { method: 'DELETE' })).status).toBe(200);
      const asked = call(hub, 'x');
      const [open] = (await waiting(hub)) as [Waiting];
      await answer(hub, open.id, { answer: 'once' });
      expect(await asked).toEqual(said('x'));
    },
  );

  test.skipIf(missing)('is kept in PostgreSQL all the same', async () => {
    await using home = await makeHome();
    await allowAndComeBack(home, ['--database', postgres.create('grants')]);
  });
});

describe('hubs on one database', () => {
  test.skipIf(missing)('have one inbox: a call that waits at one of them is answered at any', async () => {
    await using home = await makeHome();
    await using away = await makeHome();
    const args = ['--database', postgres.create('inbox')];
    await using here = await startHub(home, CONFIG, args);
    await using there = await startHub(away, CONFIG, args);
    const calling = call(here, '/tmp/a');
    const [open] = (await waiting(there)) as [Waiting];
    expect((await answer(there, open.id, { answer: 'once', when: 'text=/home/*' })).status).toBe(400);
    expect((await answer(there, open.id, { answer: 'session', when: 'text=/tmp/*' })).status).toBe(200);
    expect(await calling).toEqual(said('/tmp/a'));
    expect(await waiting(here, 0)).toEqual([]);
    expect((await answer(there, open.id, { answer: 'deny' })).status).toBe(409);
  });

  test.skipIf(missing)('deny what has to be asked when the database is gone', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, CONFIG, ['--database', postgres.create('gone')]);
    const client = await RawClient.open(hub, '/mcp/codex');
    await client.messages({ id: 0, method: 'tools/list' });
    postgres.stop();
    try {
      expect(resultOf(await client.call(1, 'demo_echo', { text: 'x' }))).toMatchObject({
        content: [{ text: expect.stringContaining('the inbox cannot be reached') }],
        isError: true,
      });
    } finally {
      postgres.start();
    }
  });
});
