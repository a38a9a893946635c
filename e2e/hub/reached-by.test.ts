/** By which names a hub is reached that stands in a cluster, or behind something else. */
import { request } from 'node:http';
import { junctor, makeHome, startHub } from '@junctor/testkit';
import { expect, test } from 'vitest';

/** `at`: the number the connection goes to; `host`: what the client calls it. */
function statusOf(
  at: string,
  port: string,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: at, port, path, headers, method, agent: false }, answer => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.on('error', reject).end();
  });
}

test('probes may use any name, all else its own address and those it was started with', async () => {
  await using home = await makeHome();
  const names = ['--allow-host', 'junctor.tools.svc', '--public-url', 'https://hub.example.com'];
  await using hub = await startHub(home, { servers: {} }, ['--host', '0.0.0.0', ...names]);
  const { port } = new URL(hub.url);
  const authorization = `Bearer ${hub.token}`;
  const ask = (path: string, host: string, more: Record<string, string> = {}): Promise<number> =>
    statusOf('127.0.0.2', port, path, { host, authorization, ...more });
  for (const path of ['/healthz', '/readyz']) expect(await ask(path, '10.9.8.7:7717')).toBe(200);
  const metrics = await Promise.all([
    ask('/metrics', `127.0.0.2:${port}`),
    ask('/metrics', `127.0.0.2:${port}`, { origin: `http://127.0.0.2:${port}` }),
    ask('/metrics', 'Junctor.tools.svc:80'),
    ask('/metrics', 'hub.example.com'),
    // An address of somebody else, and names that were pointed at ours.
    ask('/metrics', '10.9.8.7:7717'),
    ask('/metrics', 'evil.example'),
    ask('/metrics', `127.0.0.2.evil.example:${port}`),
    ask('/metrics', `127.0.0.2:${port}`, { origin: 'http://10.9.8.7' }),
  ]);
  expect(metrics).toEqual([200, 200, 200, 200, 403, 403, 403, 403]);
});

test('a client that offers HTTP/2 is served over HTTP/1.1, and TRACE is refused', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { servers: {} });
  const { port, host } = new URL(hub.url);
  const headers = { host, authorization: `Bearer ${hub.token}` };
  const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA' };
  expect(await statusOf('127.0.0.1', port, '/api/status', { ...headers, ...offer })).toBe(200);
  expect(await statusOf('127.0.0.1', port, '/api/status', headers, 'TRACE')).toBe(405);
});

test('a name with more than a name in it is refused', async () => {
  await using home = await makeHome();
  const { code, stderr } = await junctor(home, ['hub', '--allow-host', '*.example.com']);
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    "error: --allow-host needs the name of a machine, not '*.example.com'. (usage)",
  ]);
});
