/** A call stands in the database once, and counts once, whatever became of the answer to those who wrote it. */
import { DatabaseSync } from 'node:sqlite';
import { makeHome, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { onePostgres } from './one-postgres.ts';
import { layPostgresWire } from './postgres-wire.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) }, permissions: { deny: ['mcp__demo__pid'] } };
const { missing, postgres } = onePostgres();

async function call(hub: RunningHub, times: number): Promise<void> {
  const client = await RawClient.open(hub, '/mcp/codex');
  await Promise.all(Array.from({ length: times }, (_, at) => client.call(at, 'demo_echo', { text: 'x' })));
}

/** How many calls are listed, and how many the statistics know of. */
async function counts(hub: RunningHub): Promise<[number, number]> {
  const { calls } = (await rest(hub, '/api/calls')).body;
  const [tool] = (await rest(hub, '/api/stats')).body.tools;
  return [calls.length, tool.calls];
}

test.skipIf(missing)('the answer to a change is lost on its way: what was changed is not changed again', async () => {
  await using home = await makeHome();
  await using wire = await layPostgresWire();
  const url = postgres.create('lost_answer');
  await using hub = await startHub(home, CONFIG, ['--database', wire.through(url)]);
  const lost = wire.loseAnswer();
  await call(hub, 3);
  await lost;
  const stored = Number(postgres.query(url, 'select count(*) from calls'));
  expect(stored).toBeGreaterThan(0);
  await call(hub, 2);
  await expect.poll(() => counts(hub), { timeout: 15_000 }).toEqual([5, 5]);
  // What was never sent adds nothing to the statistics: what comes after it must not be taken for its share.
  const lostAgain = wire.loseAnswer();
  const client = await RawClient.open(hub, '/mcp/codex');
  await client.call(1, 'demo_pid', {});
  await lostAgain;
  // In the same session: for a new one the hub would write what it has before.
  for (const id of [2, 3]) await client.call(id, 'demo_echo', { text: 'x' });
  await expect.poll(() => counts(hub), { timeout: 15_000 }).toEqual([8, 7]);
});

test('what a hub of an earlier version wrote twice is there once after its next start', async () => {
  await using home = await makeHome();
  {
    await using hub = await startHub(home, CONFIG);
    await call(hub, 2);
    await expect.poll(() => counts(hub)).toEqual([2, 2]);
  }
  {
    using database = new DatabaseSync(`${home.data}/hub.db`);
    const columns = database
      .prepare("select name from pragma_table_info('calls') where name <> 'seq'")
      .all()
      .map(({ name }) => name)
      .join();
    database.exec(`drop index calls_call_id; delete from migrations where name = '0014-each-call-once';
      insert into calls (${columns}) select ${columns} from calls`);
    expect(database.prepare('select count(*) as calls from calls').get()).toEqual({ calls: 4 });
  }
  await using hub = await startHub(home, CONFIG);
  expect(await counts(hub)).toEqual([2, 2]);
});
