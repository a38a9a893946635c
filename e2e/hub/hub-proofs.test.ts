/** What hubs on one database show each other opens nothing for anybody else. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import { makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { onePostgres } from './one-postgres.ts';
import { layPostgresWire } from './postgres-wire.ts';
import { rest } from './rest-client.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };
const { missing, postgres } = onePostgres();

/** What a hub answers to somebody who shows this, as a token and as a proof. */
async function answers(hub: RunningHub, shown: string): Promise<number[]> {
  const status = async (headers: Record<string, string>) =>
    (await hub.fetch('/api/status?hub=here', { token: '', headers })).status;
  return [await status({ authorization: `Bearer ${shown}` }), await status({ 'junctor-hub-proof': shown })];
}

interface Overheard {
  readonly path: string;
  readonly proof: string;
}

/** Stands between two hubs, where nothing is encrypted: hears what one shows the other, and may keep it from arriving. */
async function listenBetween(): Promise<
  AsyncDisposable & { readonly url: string; to: string; keeps: boolean; readonly heard: Overheard[] }
> {
  const heard: Overheard[] = [];
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    heard.push({ path, proof: String(headers['junctor-hub-proof']) });
    if (between.keeps) return void response.writeHead(502).end();
    const passed = send(`${between.to}${path}`, { headers: { ...headers, host: new URL(between.to).host } });
    passed.on('response', (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const between = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    to: '',
    keeps: false,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return between;
}

describe.skipIf(missing)('hubs on one database', () => {
  promise('10.8s', 'SEC-L11: neither the database nor what a hub was shown opens another hub', async () => {
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

  promise('10.8s', 'SEC-L11: a proof that somebody overheard opens nothing: it is for one request, once', async () => {
    await using home = await makeHome();
    await using other = await makeHome();
    await using between = await listenBetween();
    const url = postgres.create('overheard');
    await using second = await startHub(other, CONFIG, ['--database', url, '--peer-url', between.url]);
    between.to = second.url;
    await using first = await startHub(home, CONFIG, ['--database', url]);
    await expect.poll(async () => (await rest(first, '/api/health')).body.hubs.length).toBe(2);
    const status = async (path: string, proof: string, method = 'GET') =>
      (await second.fetch(path, { method, token: '', headers: { 'junctor-hub-proof': proof } })).status;

    const asked = async (): Promise<Overheard | undefined> => {
      await rest(first, '/api/status');
      return between.heard.findLast(({ path }) => path.startsWith('/api/status'));
    };
    await expect.poll(asked).toBeDefined();
    const used = between.heard.filter(({ path }) => path.startsWith('/api/'));
    expect(new Set(used.map(({ proof }) => proof)).size, 'each request has another proof').toBe(used.length);
    for (const { path, proof } of used) expect([path, await status(path, proof)]).toEqual([path, 401]);

    // One that never arrived opens what it was made for, once, and nothing else.
    between.keeps = true;
    const before = between.heard.length;
    await expect.poll(async () => (await asked()) && between.heard.length > before).toBe(true);
    const { path, proof } = between.heard.findLast(one => one.path.startsWith('/api/status')) as Overheard;
    expect(await status('/api/tokens?hub=here', proof)).toBe(401);
    expect(await status(`${path}&more=1`, proof)).toBe(401);
    expect(await status(path, proof, 'POST')).toBe(401);
    const [life, time, nonce, signature] = proof.slice('jch_'.length).split('.');
    const later = [life, Number(time) + 1, nonce, signature].join('.');
    expect(await status(path, `jch_${later}`)).toBe(401);
    expect([await status(path, proof), await status(path, proof)]).toEqual([200, 401]);
  });

  promise('10.8s', 'SEC-L1: strangers with made-up proofs cost the database nothing', async () => {
    await using home = await makeHome();
    await using wire = await layPostgresWire();
    await using hub = await startHub(home, CONFIG, ['--database', wire.through(postgres.create('made_up'))]);
    const before = wire.asked('hubs');
    const began = performance.now();
    const statuses = new Map<number, number>();
    for (let round = 0; round < 3; round++) {
      const all = Array.from({ length: 300 }, (_, at) => {
        const proof = `jch_${round}-${at}.${Date.now()}.nonce.${'A'.repeat(86)}`;
        return hub.fetch('/api/status', { token: '', headers: { 'junctor-hub-proof': proof } });
      });
      for (const { status } of await Promise.all(all)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses.keys()].sort()).toEqual([401, 429]);
    // The hub itself looks once a second, and once more for all strangers together; each look is one or two questions.
    const seconds = (performance.now() - began) / 1000;
    expect(wire.asked('hubs') - before).toBeLessThan(20 + 8 * seconds);
  });
});
