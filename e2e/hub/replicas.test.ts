/** Several hubs on one PostgreSQL, each a process of its own. */
import { makeHome, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Postgres, startPostgres, whyNoPostgres } from './postgres.ts';
import { rest } from './rest-client.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };
const missing = whyNoPostgres();
let postgres: Postgres;

beforeAll(async () => {
  if (missing === undefined) postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
});

/** The addresses of the hubs that one of them knows of, itself included. */
const knownAt = async (hub: RunningHub): Promise<string[]> =>
  (await rest(hub, '/api/health')).body.hubs.map(({ url }: { url: string }) => url).sort();

async function kill(hub: RunningHub): Promise<void> {
  const over = new Promise(resolve => hub.process.once('exit', resolve));
  hub.process.kill('SIGKILL');
  await over;
}

describe('hubs on one database', () => {
  test('know of each other, of one that leaves and of one that is killed', async context => {
    context.skip(missing !== undefined, missing);
    await using one = await makeHome();
    await using other = await makeHome();
    await using third = await makeHome();
    const database = ['--database', postgres.create('register')];
    await using here = await startHub(one, CONFIG, database);
    expect(await knownAt(here)).toEqual([here.url]);
    await using there = await startHub(other, CONFIG, database);
    {
      await using leaves = await startHub(third, CONFIG, database);
      const all = [here.url, there.url, leaves.url].sort();
      for (const hub of [here, there, leaves]) await expect.poll(() => knownAt(hub)).toEqual(all);
    }
    const two = [here.url, there.url].sort();
    for (const hub of [here, there]) await expect.poll(() => knownAt(hub)).toEqual(two);
    await kill(there);
    await expect.poll(() => knownAt(here), { timeout: 20_000 }).toEqual([here.url]);
    // The same one again, in another life.
    await using again = await startHub(other, CONFIG, database);
    await expect.poll(() => knownAt(here)).toEqual([here.url, again.url].sort());
  });
});
