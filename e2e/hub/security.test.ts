import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { junctor, makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { readOpenApi } from './openapi.ts';
import { RawClient } from './rpc.ts';

const demo = trusted(testServer());

/** As a browser asks: with what it has, and nothing of ours. */
async function visit(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', chunk => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

async function newAddress(hub: RunningHub): Promise<string> {
  return ((await (await hub.fetch('/api/login', { method: 'POST' })).json()) as { url: string }).url;
}

describe('the page', () => {
  promise(
    ['9.5n', '9.5o', '9.5p'],
    'is entered by an address that is good once; what it changes needs a header that only it knows',
    async () => {
      await using home = await makeHome();
      await using hub = await startHub(home, { servers: { demo } });
      const printed = JSON.parse((await junctor(home, ['hub', 'page', '--json'])).stdout).url as string;
      expect(printed).toMatch(new RegExp(`^${hub.url}/\\?code=[\\w-]{43}$`));
      const entered = await visit(printed);
      expect(entered.status).toBe(200);
      const [cookie = ''] = entered.headers['set-cookie'] as string[];
      expect(cookie).toMatch(/^junctor_\w{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
      // Once, and never again.
      const again = await visit(printed);
      expect([again.status, again.headers['set-cookie'], again.text.includes('junctor hub page')]).toEqual([
        403,
        undefined,
        true,
      ]);
      const both = await newAddress(hub);
      const visits = await Promise.all([visit(both), visit(both), visit(both)]);
      expect(visits.map(({ status }) => status).sort()).toEqual([200, 403, 403]);

      const own = { cookie: cookie.split(';', 1)[0] as string };
      const { origin } = new URL(hub.url);
      const { text } = await visit(`${hub.url}/api/login`, { headers: own });
      const { csrf, expires } = JSON.parse(text) as { csrf: string; expires: string };
      expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 11 * 60 * 60_000);
      const put = (headers: Record<string, string>) =>
        visit(`${hub.url}/api/executors/docker`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json', ...headers },
          body: '{"allow_stdio":false}',
        });
      const status = async (answer: Promise<{ status: number }>) => (await answer).status;
      expect(await status(put(own))).toBe(403);
      expect(await status(put({ ...own, 'x-junctor-csrf': 'a guess' }))).toBe(403);
      expect(await status(put({ ...own, origin, 'x-junctor-csrf': csrf }))).toBe(200);
      expect(await status(put({ 'x-junctor-csrf': csrf }))).toBe(401);
      // A page on another port of this machine gets the cookie sent along, and nothing for it.
      const stranger = { ...own, origin: 'http://127.0.0.1:5173' };
      expect(await status(visit(`${hub.url}/api/login`, { headers: stranger }))).toBe(401);
      expect(await status(put({ ...stranger, 'x-junctor-csrf': csrf }))).toBe(401);
      expect(await status(visit(`${hub.url}/api/status`, { headers: { cookie: 'junctor_00000000=x' } }))).toBe(401);
      // A copy of the database opens nothing.
      const value = own.cookie.split('=')[1] as string;
      expect(readFileSync(join(home.data, 'hub.db')).includes(value)).toBe(false);
      const out = await visit(`${hub.url}/api/login`, {
        method: 'DELETE',
        headers: { ...own, 'x-junctor-csrf': csrf },
      });
      expect(out.status).toBe(204);
      expect(await status(visit(`${hub.url}/api/login`, { headers: own }))).toBe(401);
    },
  );

  test('is printed when the hub starts, and a login outlives the hub', async () => {
    await using home = await makeHome();
    let cookie = '';
    {
      await using hub = await startHub(home, { servers: {} });
      const { headers } = await visit(await newAddress(hub));
      cookie = (headers['set-cookie'] as string[])[0]?.split(';', 1)[0] ?? '';
    }
    {
      await using again = await startHub(home, { servers: {} });
      expect((await visit(`${again.url}/api/status`, { headers: { cookie } })).status).toBe(200);
    }
    await using hub = await startHub(home, { servers: {} }, ['--public-url', 'https://hub.example.com']);
    // Under a name of its own it is reached by that name, and its cookies travel over https alone.
    const address = await newAddress(hub);
    expect(address).toMatch(/^https:\/\/hub\.example\.com\/\?code=/);
    const named = { host: 'hub.example.com', origin: 'https://hub.example.com' };
    const entered = await visit(`${hub.url}/${new URL(address).search}`, { headers: named });
    expect(entered.headers['set-cookie']?.[0]).toMatch(/^__Host-junctor_\w{8}=.*; Path=\/; .*; Secure$/);
  });

  promise(
    ['10.8q', '10.8r'],
    'below a path has a cookie for that path alone; answers of the API are protected',
    async () => {
      await using home = await makeHome();
      await using hub = await startHub(home, { servers: {} }, [
        '--public-url',
        'https://hub.example.com/tools/junctor',
      ]);
      const named = { host: 'hub.example.com', origin: 'https://hub.example.com' };
      const entered = await visit(`${hub.url}/tools/junctor/${new URL(await newAddress(hub)).search}`, {
        headers: named,
      });
      const [cookie = ''] = entered.headers['set-cookie'] as string[];
      expect(cookie).toMatch(/^__Secure-junctor_\w{8}=.*; Path=\/tools\/junctor\/; .*; Secure$/);
      const own = { ...named, cookie: cookie.split(';', 1)[0] as string };
      const asked = await visit(`${hub.url}/tools/junctor/api/status`, { headers: own });
      expect(asked.status).toBe(200);
      for (const { headers } of [asked, await visit(`${hub.url}/api/status`)])
        expect([headers['x-content-type-options'], headers['cross-origin-resource-policy']]).toEqual([
          'nosniff',
          'same-origin',
        ]);
    },
  );
});

describe('a token', () => {
  promise('9.5d', 'of a person opens everything', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: { demo } });
    const { paths } = await readOpenApi(hub);
    const values: Record<string, string> = { '{id}': 'demo', '{agent}': 'codex', '{executor}': 'docker' };
    const queries: Record<string, string> = {
      '/api/mcp-config': '?agent=codex',
      '/api/resolve': '?agent=codex',
      '/api/explain': '?server=demo',
      '/api/preflight': '?tools=demo/echo',
    };
    const opened = Object.entries(paths).flatMap(([path, operations]) =>
      'get' in operations && path !== '/api/events'
        ? [path.replace(/\{\w+\}/g, name => values[name] ?? 'x') + (queries[path] ?? '')]
        : [],
    );
    for (const path of [...opened, '/metrics', '/healthz', '/readyz', '/'])
      expect([401, 403], path).not.toContain((await hub.fetch(path)).status);
    for (const path of ['/mcp/codex', '/mcp/cursor', '/servers/demo/mcp']) await RawClient.open(hub, path);
    for (const path of ['/sse/codex', '/api/events']) {
      const stream = await hub.fetch(path);
      expect([stream.status, stream.headers.get('content-type')?.split(';', 1)[0]]).toEqual([200, 'text/event-stream']);
      await stream.body?.cancel();
    }
    const { default: WebSocket } = await import('ws');
    const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/codex`, {
      headers: { authorization: `Bearer ${hub.token}` },
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.terminate();
  });

  test('that is used too often is told when to come back; others are not held up', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: { demo } }, ['--max-rate', '5']);
    const other = (await junctor(home, ['hub', 'token'])).stdout.trim();
    const answers = await Promise.all(Array.from({ length: 200 }, () => hub.fetch('/api/status')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(5);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(await refused[0]?.json()).toMatchObject({ error: { code: 'rate_limited', hint: 'wait 1 s' } });
    expect((await hub.fetch('/api/status', { token: other })).status).toBe(200);
    expect((await hub.fetch('/healthz')).status).toBe(200);
    await expect.poll(async () => (await hub.fetch('/api/status')).status).toBe(200);
  });

  test('cannot be looked for: wrong ones are refused sooner or later without a look', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: {} });
    const statuses = new Set<number>();
    for (let round = 0; round < 30 && !statuses.has(429); round++) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => hub.fetch('/api/status', { token: `jct_${round}-${index}` })),
      );
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].sort()).toEqual([401, 429]);
    expect((await hub.fetch('/api/status')).status).toBe(200);
  });
});

describe('a request', () => {
  test('that is too large is refused: its body by REST, its headers everywhere', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: {} });
    const body = JSON.stringify({ enabled: true, servers: {}, meta: { x: 'y'.repeat(5 * 1024 * 1024) } });
    const headers = { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' };
    const large = await visit(`${hub.url}/api/mcp-config?agent=codex`, { method: 'POST', headers, body });
    expect([large.status, large.text]).toEqual([413, expect.stringContaining('larger than 4 MiB')]);
    const wide = await visit(`${hub.url}/healthz`, { headers: { 'x-wide': 'y'.repeat(20 * 1024) } });
    expect(wide.status).toBe(431);
    expect((await hub.fetch('/healthz')).status).toBe(200);
  });
});
