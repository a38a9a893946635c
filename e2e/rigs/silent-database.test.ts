/** A database whose machine vanished tells nobody that it is gone. */
import { once } from 'node:events';
import { makeHome, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { startPostgres, whyNoPostgres } from '../hub/postgres.ts';
import { layPostgresWire } from '../hub/postgres-wire.ts';
import { rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };
const missing = whyNoPostgres();

test.skipIf(missing)('a hub whose database falls silent says so, serves its agents, and goes on after', async () => {
  await using home = await makeHome();
  await using postgres = await startPostgres();
  await using wire = await layPostgresWire();
  const url = postgres.create('silent');
  await using hub = await startHub(home, CONFIG, ['--database', wire.through(url)]);
  const client = await RawClient.open(hub, '/mcp/codex');
  const ready = async (): Promise<number> => (await fetch(`${hub.url}/readyz`)).status;
  const seen = async (): Promise<number> => (await rest(hub, '/api/calls')).body.calls.length;

  // A query that takes long is waited for: PostgreSQL is at work on it.
  const slow = postgres.begin(url, 'begin; lock table calls; select pg_sleep(8)');
  const locks = "select count(*) from pg_locks where mode = 'AccessExclusiveLock' and relation = 'calls'::regclass";
  await expect.poll(() => postgres.query(url, locks)).toBe('1\n');
  await client.call(1, 'demo_echo', { text: 'while it is busy' });
  expect(await seen()).toBe(1);
  await slow;

  wire.fallSilent();
  await client.call(2, 'demo_echo', { text: 'while it is away' });
  expect(await ready()).toBe(503);
  const { status, body } = await rest(hub, '/api/calls');
  expect([status, body.error]).toEqual([
    503,
    {
      code: 'database_failed',
      message: `The hub's database ${wire.through(url)} cannot be reached.`,
      why: expect.stringContaining('nothing comes back from its machine'),
      hint: expect.any(String),
    },
  ]);
  await expect.poll(() => hub.stderr()).toContain('calls cannot be written to the database');

  wire.recover();
  await expect.poll(ready, { timeout: 15_000 }).toBe(200);
  await expect.poll(seen, { timeout: 30_000 }).toBe(2);

  wire.fallSilent();
  hub.terminate();
  expect(await once(hub.process, 'exit')).toEqual([0, null]);
});
