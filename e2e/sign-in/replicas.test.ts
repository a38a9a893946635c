/** Several hubs on one database, and a server that wants a sign-in: one refresher, one result for all. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '@junctor/core';
import { type Home, junctor, makeHome, promise, type RunningHub, startHub, startHubIn } from '@junctor/testkit';
import { type Authority, startAuthority } from '@junctor/testkit/authority';
import { expect, test } from 'vitest';
import { makeProject, registeredIn } from '../hub/in-project.ts';
import { onePostgres } from '../hub/one-postgres.ts';
import { rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';
import { browser, guardedServer } from './guarded.ts';

const { missing, postgres } = onePostgres();

/** Hubs that share a database and a key, each with a house of its own. */
class Replicas implements AsyncDisposable {
  readonly database: string;
  readonly #config: object;
  readonly #open: AsyncDisposable[] = [];

  constructor(name: string, { mcpUrl }: Authority) {
    this.database = postgres.create(name);
    const guarded = { transport: 'http', url: mcpUrl, trust: 'trusted' };
    this.#config = { version: 1, servers: { guarded } };
  }

  async start(home?: Home, key = 'one key for all of them'): Promise<RunningHub> {
    const house = home ?? (await makeHome());
    if (!home) this.#open.push(house);
    const env = { ...house.env, JUNCTOR_SECRET_KEY: key };
    const hub = await startHub({ ...house, env }, this.#config, ['--database', this.database]);
    this.#open.push(hub);
    return hub;
  }

  query(statement: string): string {
    return postgres.query(this.database, statement);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#open.reverse()) await one[Symbol.asyncDispose]();
  }
}

async function echo(hub: RunningHub, text: string): Promise<unknown> {
  const client = await RawClient.open(hub, '/servers/guarded/mcp');
  const [answer] = (await client.call(1, 'echo', { text })).slice(-1);
  const { content } = (answer?.result ?? {}) as { content?: { text: string }[] };
  return content?.[0]?.text ?? answer;
}

async function stateOf(hub: RunningHub): Promise<string> {
  const { servers } = (await rest(hub, '/api/status')).body as { servers: { id: string; state: string }[] };
  return servers.find(({ id }) => id === 'guarded')?.state ?? 'unknown';
}

promise(
  ['7.4c', '5.9c'],
  'three hubs with one expired, rotating token: one refresh, and every call is answered',
  async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    await using guarded = await guardedServer();
    const { authority, home } = guarded;
    // What was signed in to before the hub had such a database moves there, once.
    await signIn(await guarded.host(), 'guarded', browser(authority));
    const { access_token, refresh_token } = (await guarded.stored()).servers.guarded as Record<string, string>;
    await using replicas = new Replicas('refresh', authority);
    const hubs = [await replicas.start(home)];
    await expect.poll(() => guarded.stored()).toMatchObject({ servers: {} });
    hubs.push(...(await Promise.all([replicas.start(), replicas.start()])));
    const callAll = (round: string): Promise<unknown[]> =>
      Promise.all(hubs.map((hub, at) => echo(hub, `${round}${at}`)));
    expect(await callAll('a')).toEqual(['a0', 'a1', 'a2']);
    const kept = replicas.query('select * from sign_ins');
    expect(kept).toContain('guarded|');
    expect([access_token, refresh_token].some(secret => kept.includes(String(secret)))).toBe(false);

    for (const [at, round] of ['b', 'c'].entries()) {
      authority.expireTokens();
      expect(await callAll(round)).toEqual([`${round}0`, `${round}1`, `${round}2`]);
      expect(authority.requests).toMatchObject({ refreshes: at + 1, authorizations: 1 });
    }
  },
);

promise(['7.4c'], 'a hub that is killed while it refreshes leaves the refresh to the next one', async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  await using guarded = await guardedServer();
  const { authority, home } = guarded;
  await signIn(await guarded.host(), 'guarded', browser(authority));
  await using replicas = new Replicas('killed', authority);
  const [first, second] = [await replicas.start(home), await replicas.start()];
  expect([await echo(first, 'a'), await echo(second, 'b')]).toEqual(['a', 'b']);

  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let asking = 0;
  authority.behaviour.beforeTokens = () => {
    asking++;
    asked.resolve();
    return release.promise;
  };
  authority.expireTokens();
  const lost = echo(first, 'lost').catch(() => 'hung up');
  await asked.promise;
  const waiting = echo(second, 'c');
  // The second waits for the first, and asks only once that is gone.
  const locks = "select count(*) from pg_locks where locktype = 'advisory' and classid = 7718 and granted";
  expect(replicas.query(locks)).toBe('1\n');
  expect(asking).toBe(1);
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  await expect.poll(() => asking).toBe(2);
  release.resolve();
  expect([await lost, await waiting]).toEqual(['hung up', 'c']);
  expect(authority.requests).toMatchObject({ refreshes: 1, authorizations: 1 });
});

test.skipIf(missing)('tokens that come while the database is away are kept once it is back', async () => {
  await using guarded = await guardedServer();
  const { authority, home } = guarded;
  await signIn(await guarded.host(), 'guarded', browser(authority));
  await using replicas = new Replicas('away', authority);
  const hub = await replicas.start(home);
  expect(await echo(hub, 'a')).toBe('a');
  // It answers with the only refresh token that is good from then on.
  authority.behaviour.beforeTokens = async () => postgres.stop();
  authority.expireTokens();
  const client = await RawClient.open(hub, '/servers/guarded/mcp');
  const call = client.call(1, 'echo', { text: 'b' });
  await expect.poll(() => authority.requests.refreshes).toBe(1);
  postgres.start();
  expect(JSON.stringify(await call)).toContain('"text":"b"');
  authority.behaviour.beforeTokens = async () => {};
  authority.expireTokens();
  expect(await echo(hub, 'c')).toBe('c');
  expect(authority.requests).toMatchObject({ authorizations: 1 });
});

test.skipIf(missing)('a sign-in at one hub wakes the server at every other', async () => {
  await using guarded = await guardedServer();
  const { authority, home } = guarded;
  await using replicas = new Replicas('woken', authority);
  const [first, second] = [await replicas.start(home), await replicas.start()];
  for (const hub of [first, second]) await expect.poll(() => stateOf(hub)).toBe('auth_required');
  const { url } = (await rest(first, '/api/servers/guarded/sign-in', { method: 'POST' })).body;
  await authority.browser.visit(new URL(url));
  expect((await rest(first, '/api/servers/guarded/sign-in')).status).toBe(200);
  await expect.poll(() => stateOf(second)).toBe('ready');
  expect(await echo(second, 'here too')).toBe('here too');
  expect(authority.requests).toMatchObject({ authorizations: 1, refreshes: 0 });

  // One that has another key says so, and spoils nothing.
  await rest(first, '/api/secrets/DEPLOY', { method: 'PUT', body: { value: 'hush' } });
  const stranger = await replicas.start(undefined, 'another key');
  for (const what of ['sign-ins', 'secrets'])
    await expect
      .poll(() => stranger.stderr())
      .toContain(
        `The ${what} in the database cannot be opened by this hub: they were sealed with another JUNCTOR_SECRET_KEY`,
      );
  await expect(echo(stranger, 'x')).rejects.toThrow('The sign-ins in the database cannot be opened by this hub.');
  expect(await echo(first, 'still')).toBe('still');

  // The commands beside a hub see what it keeps, and who signs out there signs out everywhere.
  const config = ['--config', join(home.path, 'hub.json'), '--data', home.data];
  const status = await junctor(home, ['auth', 'status', 'guarded', '--json', ...config]);
  expect(JSON.parse(status.stdout).servers).toMatchObject([{ server: 'guarded', state: 'signed_in' }]);
  expect((await junctor(home, ['mcp', 'logout', 'guarded', ...config])).stdout).toContain('signed out of guarded');
  expect(replicas.query('select count(*) from sign_ins')).toBe('0\n');
  for (const hub of [first, second]) {
    await expect.poll(() => echo(hub, 'x').catch(String)).toContain('asks you to sign in');
  }

  // A server that is removed leaves its sign-in at the hub, says so, and takes it along where that is wanted.
  const again = (await rest(first, '/api/servers/guarded/sign-in', { method: 'POST' })).body;
  await authority.browser.visit(new URL(again.url));
  expect((await rest(first, '/api/servers/guarded/sign-in')).status).toBe(200);
  const file = await readFile(join(home.path, 'hub.json'), 'utf8');
  const remove = async (...words: string[]) =>
    JSON.parse((await junctor(home, ['mcp', 'remove', 'guarded', '--json', ...words, ...config])).stdout);
  expect(await remove()).toMatchObject({ sign_ins_left: ['guarded'] });
  expect(replicas.query('select count(*) from sign_ins')).toBe('1\n');
  const has = async () => (await rest(first, '/api/servers')).body.servers.length;
  await expect.poll(has).toBe(0);
  await home.write('hub.json', file);
  await expect.poll(has).toBe(1);
  expect(await remove('--forget')).toMatchObject({ sign_ins_left: [] });
  expect(replicas.query('select count(*) from sign_ins')).toBe('0\n');
});

test.skipIf(missing)('commands in a project ask the hub about the server of that project', async () => {
  await using authority = await startAuthority();
  await using home = await makeHome();
  const env = { ...home.env, JUNCTOR_SECRET_KEY: 'one key for all of them' };
  const one = await makeProject(home, 'one', {});
  const two = await makeProject(home, 'two', {
    guarded: { transport: 'http', url: authority.mcpUrl, trust: 'trusted' },
  });
  const database = postgres.create('of_project');
  await using hub = await startHubIn({ ...home, env }, one, ['--database', database]);
  const path = `/api/servers/guarded/sign-in?project=${await registeredIn(hub, two)}`;
  const { url } = (await rest(hub, path, { method: 'POST' })).body;
  await authority.browser.visit(new URL(url));
  expect((await rest(hub, path)).status).toBe(200);
  const status = async () => JSON.parse((await junctor(home, ['auth', 'status', '--json'], { cwd: two })).stdout);
  expect((await status()).servers).toMatchObject([{ server: 'guarded', state: 'signed_in' }]);
  const { stdout } = await junctor(home, ['mcp', 'logout', 'guarded'], { cwd: two });
  expect(stdout).toContain('signed out of guarded');
  expect(postgres.query(database, 'select count(*) from sign_ins')).toBe('0\n');
});
