/** A token that is revoked takes along all that was opened with it. */
import { once } from 'node:events';
import {
  type Home,
  isRunning,
  JUNCTOR,
  junctor,
  makeHome,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { obligingClient, textOf } from '../command-line/sdk-client.ts';
import { modernPost } from './modern-rpc.ts';
import { onePostgres } from './one-postgres.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const OWN = { version: 1, servers: { own: { ...trusted(testServer()), mode: 'per_session' } } };
const { missing, postgres } = onePostgres();
const SLOW = { name: 'own_slow', arguments: { ms: 600_000 } };

async function command(home: Home, ...words: string[]): Promise<string> {
  return (await junctor(home, ['hub', 'token', '--data', home.data, ...words])).stdout.trim();
}

test('the doors close, the processes end and calls are over for whoever came with a token that is revoked', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, OWN);
  const calls = async () => (await rest(hub, '/api/calls')).body;
  const as = (token: string) => ({ fetch: (path: string, init?: RequestInit) => hub.fetch(path, { ...init, token }) });
  const pidOf = async (client: RawClient): Promise<number> =>
    Number(textOf((await client.call('pid', 'own_pid', {}))[0]?.result ?? {}));

  const person = await RawClient.open(hub, '/mcp/codex');
  const personPid = await pidOf(person);
  const token = await command(home, '--agent', 'codex');
  const client = await RawClient.open(as(token), '/mcp/codex');
  const pid = await pidOf(client);
  const headers = { accept: 'text/event-stream', 'mcp-session-id': client.session };
  const streams = [
    await hub.fetch('/mcp/codex', { token, headers }),
    await hub.fetch('/sse/codex', { token, headers: { accept: 'text/event-stream' } }),
  ];
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/codex`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await once(socket, 'open');
  const socketClosed = once(socket, 'close');
  const piped = obligingClient('legacy');
  const args = [JUNCTOR, 'connect', 'codex', '--data', home.data];
  const env = { ...home.env, JUNCTOR_TOKEN: token };
  await piped.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: home.project }));
  const pipedPid = Number(textOf(await piped.callTool({ name: 'own_pid', arguments: {} })));
  const running = [
    client.post({ id: 'slow', method: 'tools/call', params: SLOW }),
    modernPost(hub, '/mcp/codex', { method: 'tools/call', params: SLOW, token }),
  ];
  await expect.poll(async () => (await calls()).running.length).toBe(2);

  await command(home, '--agent', 'codex', '--revoke');
  for (const stream of streams) await stream.text();
  expect((await socketClosed)[0]).toBe(1008);
  for (const answer of running) await (await answer).text();
  for (const gone of [pid, pipedPid]) await expect.poll(() => isRunning(gone)).toBe(false);
  await expect.poll(async () => (await calls()).running).toEqual([]);
  const ended = (await calls()).calls.filter(({ tool }: { tool: string }) => tool === 'slow');
  expect(ended.map(({ outcome, code }: { outcome: string; code: string }) => [outcome, code])).toEqual([
    ['unknown', 'cancelled'],
    ['unknown', 'cancelled'],
  ]);
  await piped.close();
  // Nobody else notices.
  expect(await pidOf(person)).toBe(personPid);
});

test('a run is over with the last of its tokens, also what was kept for it to come back to', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, OWN);
  const make = async () =>
    (await rest(hub, '/api/tokens', { method: 'POST', body: { agent: 'codex', session: 'run-1' } })).body;
  const [first, second] = [await make(), await make()];
  const open = (token: string) =>
    RawClient.open({ fetch: (path, init) => hub.fetch(path, { ...init, token }) }, '/mcp/codex');
  const client = await open(first.token);
  const pid = async (one: RawClient) => textOf((await one.call(1, 'own_pid', {}))[0]?.result ?? {});
  const before = await pid(client);
  await rest(hub, `/api/tokens/${first.id}`, { method: 'DELETE' });
  const other = await open(second.token);
  expect(await pid(other)).toBe(before);
  for (const { session } of [client, other])
    await hub.fetch('/mcp/codex', { method: 'DELETE', token: second.token, headers: { 'mcp-session-id': session } });
  expect(isRunning(Number(before))).toBe(true);
  await rest(hub, `/api/tokens/${second.id}`, { method: 'DELETE' });
  await expect.poll(() => isRunning(Number(before))).toBe(false);
});

test('a person whose token is revoked hears nothing more and makes no more calls, at any hub', async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  await using home = await makeHome();
  await using other = await makeHome();
  const database = ['--database', postgres.create('revoked')];
  await using hub = await startHub(home, OWN, database);
  await using there = await startHub(other, OWN, database);
  const make = async () => (await rest(hub, '/api/tokens', { method: 'POST', body: {} })).body;
  const [gone, good] = [await make(), await make()];
  const paths = ['/api/events', '/api/servers/own/traffic'];
  const opened = await Promise.all(
    [hub, there].flatMap(one => paths.map(path => one.fetch(path, { token: gone.token }))),
  );
  const staying = await there.fetch('/api/events', { token: good.token });
  expect([...opened, staying].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const body = JSON.stringify({ server: 'own', tool: 'slow', arguments: { ms: 600_000 } });
  const headers = { 'content-type': 'application/json' };
  const call = hub.fetch('/api/calls', { method: 'POST', token: gone.token, headers, body });
  const outcome = call.then(answer => answer.text()).catch(() => 'cut');
  await expect.poll(async () => (await rest(hub, '/api/calls')).body.running.length).toBe(1);

  // Whoever revokes their own token is told that it is done.
  const revoked = await hub.fetch(`/api/tokens/${gone.id}`, { method: 'DELETE', token: gone.token });
  expect(await revoked.json()).toEqual({ success: true, revoked: 1 });
  await Promise.all(opened.map(answer => answer.text()));
  expect(await outcome).toBe('cut');
  await expect.poll(async () => (await rest(hub, '/api/calls')).body.running).toEqual([]);
  // Whose token is good still hears.
  const reader = (staying.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  await RawClient.open(there, '/mcp/codex');
  let heard = '';
  while (!heard.includes('session-opened')) heard += (await reader.read()).value;
  await reader.cancel();

  // As a browser that logs out at one of them does.
  const { url } = (await rest(hub, '/api/login', { method: 'POST' })).body;
  const login = await fetch(url, { redirect: 'manual' });
  const own = { cookie: (login.headers.get('set-cookie') ?? '').split(';')[0] as string };
  const at = (one: RunningHub, path: string, init: RequestInit = {}) =>
    fetch(`${one.url}${path}`, { ...init, headers: { ...own, ...(init.headers as object) } });
  const streams = await Promise.all([hub, there].map(one => at(one, '/api/events')));
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  const { csrf } = (await (await at(hub, '/api/login')).json()) as { csrf: string };
  const out = await at(hub, '/api/login', { method: 'DELETE', headers: { 'x-junctor-csrf': csrf } });
  expect(out.status).toBe(204);
  for (const stream of streams) await stream.text();
  for (const one of [hub, there]) expect((await at(one, '/api/login')).status).toBe(401);
});
