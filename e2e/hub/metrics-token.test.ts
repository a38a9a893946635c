/** A token for monitors opens the metrics, and nothing else, wherever it lies. */
import { once } from 'node:events';
import { type Home, junctor, makeHome, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { onePostgres } from './one-postgres.ts';
import { rest } from './rest-client.ts';

const { missing, postgres } = onePostgres();
const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };

async function tokenBy(home: Home, ...words: string[]) {
  const { code, stdout, stderr } = await junctor(home, ['hub', 'token', '--data', home.data, ...words]);
  return { code, said: stdout.trim(), stderr };
}

async function opensMetricsOnly(hub: RunningHub, token: string): Promise<void> {
  const status = async (path: string, init: RequestInit = {}) => (await hub.fetch(path, { ...init, token })).status;
  expect(await status('/metrics')).toBe(200);
  const paths = ['/api', '/api/status', '/api/events', '/api/tokens', '/api/login', '/mcp/codex', '/sse/codex'];
  for (const path of [...paths, '/mcp/default', '/servers/demo/mcp', '/metrics/', '/nothing'])
    for (const method of ['GET', 'POST', 'DELETE'])
      expect([method, path, await status(path, { method })]).toEqual([method, path, 403]);
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/codex`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [{ message }] = (await once(socket, 'error')) as [Error];
  expect(message).toContain('403');
}

test('it is made and revoked by the command that makes tokens, and by REST', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, CONFIG);
  const { said: token } = await tokenBy(home, '--metrics');
  await opensMetricsOnly(hub, token);
  const refused = await hub.fetch('/api/status', { token });
  expect(await refused.json()).toMatchObject({
    error: { code: 'token_refused', message: 'This token opens /metrics only.', hint: expect.any(String) },
  });
  const greeting = { input: '{}\n', env: { JUNCTOR_TOKEN: token } };
  const piped = await junctor(home, ['connect', 'codex', '--data', home.data], greeting);
  expect([piped.code, piped.stderr]).toEqual([1, expect.stringContaining('/metrics only')]);

  const made = await rest(hub, '/api/tokens', { method: 'POST', body: { opens: 'metrics', name: 'monitor' } });
  expect(made).toMatchObject({ status: 201, body: { kind: 'metrics', agent: null, name: 'monitor' } });
  await opensMetricsOnly(hub, made.body.token);
  const both = { opens: 'metrics', agent: 'codex' };
  expect((await rest(hub, '/api/tokens', { method: 'POST', body: both })).status).toBe(400);
  expect(await tokenBy(home, '--metrics', '--agent', 'codex')).toMatchObject({ code: 2 });

  // Those of people go without them, and the other way round.
  const { said: person } = await tokenBy(home);
  expect((await tokenBy(home, '--metrics', '--revoke')).said).toBe('revoked 2 token(s) of metrics');
  const statuses = async () => [
    (await hub.fetch('/metrics', { token })).status,
    (await hub.fetch('/metrics', { token: person })).status,
  ];
  await expect.poll(statuses).toEqual([401, 200]);
  const { said: next } = await tokenBy(home, '--metrics');
  expect((await tokenBy(home, '--revoke')).said).toBe('revoked 1 token(s) of person');
  await expect.poll(async () => (await hub.fetch('/metrics', { token: person })).status).toBe(401);
  expect((await hub.fetch('/metrics', { token: next })).status).toBe(200);
});

test('it opens no more at hubs that have their tokens in common', async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  await using home = await makeHome();
  await using other = await makeHome();
  const database = ['--database', postgres.create('monitors')];
  await using here = await startHub(home, CONFIG, database);
  const { token } = (await rest(here, '/api/tokens', { method: 'POST', body: { opens: 'metrics' } })).body;
  await using there = await startHub(other, CONFIG, database);
  for (const hub of [here, there]) await opensMetricsOnly(hub, token);
});
