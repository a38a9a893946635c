/** A copy of a hub's data that is made while it works, and a hub that is started on the copy. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, makeHome, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { onePostgres } from './one-postgres.ts';
import { asPosted, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const { missing, postgres } = onePostgres();
const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };
const SECRET = 'a-secret-of-the-team-4711';
const WHO = '/api/mcp-config?agent=codex';

test('a copy of a hub that works all the time is whole, and a hub that is started on it goes on from there', async () => {
  await using home = await makeHome();
  const copy = join(home.path, 'kept', 'copy');
  const backUp = (...words: string[]) => junctor(home, ['hub', 'backup', '--data', home.data, '--json', ...words]);
  let token: string;
  let before: number;
  {
    await using hub = await startHub(home, CONFIG);
    const env = { API_KEY: SECRET };
    const body = { enabled: true, servers: { own: asPosted({ ...trusted(testServer()), env }) } };
    expect((await rest(hub, WHO, { method: 'POST', body })).status).toBe(200);
    token = (await junctor(home, ['hub', 'token', '--agent', 'codex', '--data', home.data])).stdout.trim();
    const client = await RawClient.open({ fetch: (path, init) => hub.fetch(path, { ...init, token }) }, '/mcp/codex');
    let made = 0;
    let busy = true;
    const calls = (async () => {
      while (busy) await client.call(++made, 'own_echo', { text: 'x' });
    })();
    await expect.poll(() => made).toBeGreaterThan(20);
    before = made - 1;
    const copied = await backUp(copy);
    busy = false;
    await calls;
    expect([copied.code, copied.stderr]).toEqual([0, '']);
    const files = ['hub-tokens.json', 'hub.db', 'journal/calls.journal', 'secrets.json'];
    expect(JSON.parse(copied.stdout)).toMatchObject({ directory: copy, files: expect.arrayContaining(files) });
    expect(await backUp(copy)).toMatchObject({ code: 2, stdout: expect.stringContaining('already') });
    expect(await backUp(join(home.data, 'copy'))).toMatchObject({ code: 2 });
  }
  const there = await readdir(copy);
  expect(there.filter(name => /^hub\.(json|sock|log)|catalogue|artifacts|tmp$|lock$/.test(name))).toEqual([]);
  expect((await stat(copy)).mode & 0o777).toBe(0o700);
  for (const name of ['hub.db', 'hub-tokens.json', 'secrets.json']) {
    expect([name, (await stat(join(copy, name))).mode & 0o777]).toEqual([name, 0o600]);
    expect(await readFile(join(copy, name), 'latin1')).not.toContain(SECRET);
  }
  expect(await readdir(join(home.path, 'kept'))).toEqual(['copy']);

  await using again = await startHub({ ...home, data: copy }, CONFIG);
  const stored = (await rest(again, WHO)).body;
  expect(stored.servers.own.env.API_KEY).toMatch(/^\$\{secret:/);
  const client = await RawClient.open({ fetch: (path, init) => again.fetch(path, { ...init, token }) }, '/mcp/codex');
  expect(JSON.stringify(await client.call(1, 'own_echo', { text: 'still here' }))).toContain('still here');
  const { calls } = (await rest(again, '/api/calls?agent=codex&limit=1000')).body;
  expect(calls.length).toBeGreaterThan(before);
  const [stats] = (await rest(again, '/api/stats?server=own')).body.tools;
  expect(stats.calls).toBe(calls.length);
  expect(new Set(calls.map(({ outcome }: { outcome: string }) => outcome))).toContain('done');
});

test('of a hub on PostgreSQL the files are copied, and how to dump the rest is told', async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  await using home = await makeHome();
  const database = postgres.create('copied');
  await using hub = await startHub(home, CONFIG, ['--database', database]);
  await rest(hub, '/api/tokens', { method: 'POST', body: {} });
  const copy = join(home.path, 'copy');
  const copied = await junctor(home, ['hub', 'backup', copy, '--data', home.data]);
  expect([copied.code, copied.stderr]).toEqual([0, expect.stringMatching(/pg_dump .*'postgres:\/\/.*copied/)]);
  const there = await readdir(copy);
  expect([there.includes('hub-tokens.json'), there.includes('hub.db')]).toEqual([true, false]);
  const nothing = await junctor(home, ['hub', 'backup', join(home.path, 'other'), '--data', join(home.path, 'no')]);
  expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('nothing to copy')]);
});
