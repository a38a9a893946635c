/** What hubs on one database show each other opens nothing for anybody else. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { makeHome, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { onePostgres } from './one-postgres.ts';
import { rest } from './rest-client.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };
const { missing, postgres } = onePostgres();

/** What a hub answers to somebody who shows this, as a token and as a proof. */
async function answers(hub: RunningHub, shown: string): Promise<number[]> {
  const status = async (headers: Record<string, string>) =>
    (await hub.fetch('/api/status?hub=here', { token: '', headers })).status;
  return [await status({ authorization: `Bearer ${shown}` }), await status({ 'junctor-hub-proof': shown })];
}

test.skipIf(missing)('neither the database nor what a hub was shown opens another hub', async () => {
  await using home = await makeHome();
  await using other = await makeHome();
  const url = postgres.create('proofs');
  await using first = await startHub(home, CONFIG, ['--database', url]);
  await using second = await startHub(other, CONFIG, ['--database', url]);
  await expect.poll(async () => (await rest(first, '/api/health')).body.hubs.length).toBe(2);
  expect((await rest(first, '/api/status')).body.silent_hubs, 'they answer each other').toBeUndefined();

  const rows = postgres.query(url, 'select * from hubs').trim().split('\n');
  expect(rows).toHaveLength(2);
  for (const value of rows.flatMap(row => row.split('|')))
    for (const hub of [first, second]) expect(await answers(hub, value)).toEqual([401, 401]);

  // One that gets itself onto the register is asked, too, and sees what the others show it.
  let proof = '';
  const fake = createServer((request, response) => {
    proof = String(request.headers['junctor-hub-proof']);
    response.writeHead(404).end();
  });
  fake.listen(0, '127.0.0.1');
  await once(fake, 'listening');
  const { port } = fake.address() as { port: number };
  const signOfLife = `
    insert into hubs (id, life, url, machine, data_directory, version, started, seen) values ('fake', 'fake',
      'http://127.0.0.1:${port}', 'fake', '/fake', '0', 0, (extract(epoch from clock_timestamp()) * 1000)::bigint)
    on conflict (id) do update set seen = excluded.seen`;
  const asked = async (): Promise<string> => {
    postgres.query(url, signOfLife);
    await rest(first, '/api/status');
    return proof;
  };
  try {
    await expect.poll(asked).toMatch(/^jch_/);
    for (const hub of [first, second]) expect(await answers(hub, proof)).toEqual([401, 401]);
  } finally {
    fake.close();
  }
});
