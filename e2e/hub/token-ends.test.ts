/** What stays open for as long as its client likes does not outlive the token or the login it was opened with. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { junctor, makeHome, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startJwtIssuer } from './jwt-issuer.ts';
import { modernPost } from './modern-rpc.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };
/** How long after its end a token is taken all the same: clocks differ. */
const TOLERANCE_SECONDS = 5;

const as = (hub: RunningHub, token: string) => ({
  fetch: (path: string, init?: RequestInit) => hub.fetch(path, { ...init, token }),
});

test('streams and connections end with a token of the issuer; calls that run, and the session, go on', async () => {
  await using home = await makeHome();
  await using issuer = await startJwtIssuer();
  await using hub = await startHub(home, CONFIG, ['--issuer', issuer.url]);
  const now = () => Math.floor(Date.now() / 1000);
  const aud = `${hub.url}/mcp/codex`;
  const scope = 'junctor:tools';
  const later = await issuer.token({ aud, scope });
  const client = await RawClient.open(as(hub, later), '/mcp/codex');
  // Others of the same person would make what they have open last longer.
  // Time enough to open all that follows, also where the machine is busy.
  const exp = now() + 2;
  const token = await issuer.token({ aud, scope, exp, sub: 'bob' });
  const person = await issuer.token({ aud: hub.url, scope: 'junctor:person', exp });
  const bob = await RawClient.open(as(hub, token), '/mcp/codex');
  const accept = { accept: 'text/event-stream' };
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/codex`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const closed = once(socket, 'close');
  const [staying, running, ...streams] = await Promise.all([
    hub.fetch('/mcp/codex', { token: later, headers: { ...accept, 'mcp-session-id': client.session } }),
    bob.post({ id: 'slow', method: 'tools/call', params: { name: 'demo_slow', arguments: { ms: 8000 } } }),
    hub.fetch('/mcp/codex', { token, headers: { ...accept, 'mcp-session-id': bob.session } }),
    hub.fetch('/sse/codex', { token, headers: accept }),
    hub.fetch('/api/events', { token: person }),
    modernPost(hub, '/mcp/codex', {
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true } },
      token,
    }),
    once(socket, 'open').then(() => new Response('')),
  ]);
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  // Each is told its end, and is not cut.
  for (const stream of streams) await stream.text();
  expect((await closed).map(String)).toEqual(['1008', 'the token has ended']);
  expect(Date.now()).toBeGreaterThanOrEqual((exp + TOLERANCE_SECONDS) * 1000 - 100);
  expect((await hub.fetch('/api/status', { token: person })).status).toBe(401);

  expect(await running.text()).toContain('"result"');
  const renewed = as(hub, await issuer.token({ aud, scope, sub: 'bob' }));
  expect(JSON.stringify(await bob.at(renewed).call(2, 'demo_echo', { text: 'again' }))).toContain('again');
  const stream = (staying.body as ReadableStream<Uint8Array>).getReader();
  const ended = await Promise.race([
    stream.read().then(({ done }) => done),
    client.call(1, 'demo_echo', { text: 'x' }),
  ]);
  expect(ended).not.toBe(true);
  await stream.cancel();
});

test('a token that was made for some hours ends by itself, with all that was opened with it', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, CONFIG);
  const run = (...words: string[]) => junctor(home, ['hub', 'token', '--data', home.data, ...words]);
  const token = (await run('--agent', 'codex', '--name', 'run 7', '--hours', '2')).stdout.trim();
  const lasting = (await run('--name', 'Ada', '--no-expiry')).stdout.trim();
  const listed = JSON.parse((await run('--list', '--json')).stdout).tokens;
  const hours = (Date.parse(listed[0].expires) - Date.parse(listed[0].created)) / 3_600_000;
  expect([listed[0].name, Math.round(hours), listed[1].expires]).toEqual(['run 7', 2, undefined]);
  const [head, ...rows] = (await run('--list')).stdout.trimEnd().split('\n');
  expect(head).toMatch(/^ID +OPENS +NAME +MADE +BY +ENDS +USED$/);
  expect(rows).toEqual([
    expect.stringMatching(/^\w{12} {2}agent codex {2}run 7 {2}\S+ \S+ {2}command {2}\S+ \S+ +-$/),
    expect.stringMatching(/^\w{12} {2}everything +Ada +\S+ \S+ {2}command {2}when revoked +-$/),
  ]);
  expect((await run('--hours', 'x')).code).toBe(2);

  const client = await RawClient.open(as(hub, token), '/mcp/codex');
  const headers = { accept: 'text/event-stream', 'mcp-session-id': client.session };
  const stream = await hub.fetch('/mcp/codex', { token, headers });
  // Two hours are over sooner here.
  const file = join(home.data, 'hub-tokens.json');
  const expires = new Date(Date.now() + 500).toISOString();
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(listed[0].expires, expires));
  await stream.text();
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires) - 100);
  expect((await hub.fetch('/mcp/codex', { token, headers })).status).toBe(401);
  expect(JSON.parse((await run('--list', '--json')).stdout).tokens).toMatchObject([{ name: 'Ada' }]);

  // One of several people leaves.
  const other = (await run('--name', 'Bob')).stdout.trim();
  const statuses = () =>
    Promise.all([lasting, other].map(async one => (await hub.fetch('/api', { token: one })).status));
  expect((await run('--revoke', '--name', 'ada')).stdout).toBe('revoked 1 token(s) of person, named ada\n');
  await expect.poll(statuses).toEqual([401, 404]);
  const [{ id }] = JSON.parse((await run('--list', '--json')).stdout).tokens;
  expect((await run('--revoke', '--id', id)).stdout).toBe(`revoked the token ${id}\n`);
  await expect.poll(statuses).toEqual([401, 401]);
  expect((await run('--revoke', '--id', id)).code).toBe(1);
  expect((await run('--list')).stdout).toBe('no tokens\n');
});

test('what a browser has open ends with its login', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { version: 1, servers: {} });
  const { url } = (await rest(hub, '/api/login', { method: 'POST' })).body;
  const cookie = ((await fetch(url)).headers.get('set-cookie') ?? '').split(';')[0] as string;
  // Twelve hours are over sooner here.
  const database = new DatabaseSync(join(home.data, 'hub.db'));
  const ends = Date.now() + 2000;
  database.prepare('update page_sessions set expires = ?').run(ends);
  database.close();
  const events = await fetch(`${hub.url}/api/events`, { headers: { cookie } });
  expect(events.status).toBe(200);
  await events.text();
  expect(Date.now()).toBeGreaterThanOrEqual(ends - 100);
  expect((await fetch(`${hub.url}/api/events`, { headers: { cookie } })).status).toBe(401);
});
