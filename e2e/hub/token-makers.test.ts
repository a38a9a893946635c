/** Tokens and page logins remember who made them, end with it, and expire. */
import { type Home, junctor, makeHome, promise, type RunningHub, startHub } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { startJwtIssuer } from './jwt-issuer.ts';
import { onePostgres } from './one-postgres.ts';
import { type RestAnswer, rest } from './rest-client.ts';

const { missing, postgres } = onePostgres();
const DAY_MS = 24 * 60 * 60_000;

/** A browser, or a program with a token. */
type Asks = (path: string, init?: { readonly method?: string; readonly body?: unknown }) => Promise<RestAnswer>;

const withToken =
  (hub: RunningHub, token: string): Asks =>
  (path, init) =>
    rest({ url: hub.url, token, fetch: (where, more) => hub.fetch(where, { ...more, token }) }, path, init);

async function browserAt(hub: RunningHub, address: string): Promise<Asks | number> {
  const landed = await fetch(address);
  const cookie = landed.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) return landed.status;
  const asks = (headers: Record<string, string>): Asks => {
    const fetchWith: RunningHub['fetch'] = (path, init) =>
      fetch(`${hub.url}${path}`, { ...init, headers: { ...(init?.headers as object), cookie, ...headers } });
    return (path, init) => rest({ url: hub.url, token: '', fetch: fetchWith }, path, init);
  };
  const { body } = await asks({})('/api/login');
  return asks({ 'x-junctor-csrf': body.csrf });
}

async function command(home: Home, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await junctor(home, ['hub', 'token', '--data', home.data, ...words]);
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

async function statusOf(hub: RunningHub, token: string): Promise<number> {
  return (await hub.fetch('/api/status', { token })).status;
}

describe('a person who is revoked', () => {
  promise(['10.8a', '10.8b'], 'is gone from the page and from all tokens they made', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: {} });
    const mallory = await command(home, '--name', 'Mallory');
    const asMallory = withToken(hub, mallory);
    const addresses = [
      await asMallory('/api/login', { method: 'POST' }),
      await asMallory('/api/login', { method: 'POST' }),
    ];
    const [opened, unopened] = addresses.map(({ body }) => body.url as string) as [string, string];
    const browser = (await browserAt(hub, opened)) as Asks;
    const [direct, onPage] = [
      await asMallory('/api/tokens', { method: 'POST', body: {} }),
      await browser('/api/tokens', { method: 'POST', body: {} }),
    ];
    const second = withToken(hub, onPage.body.token);
    const third = await second('/api/tokens', { method: 'POST', body: { agent: 'codex' } });
    const later = (await second('/api/login', { method: 'POST' })).body.url as string;
    const { tokens } = (await rest(hub, '/api/tokens')).body;
    const id = tokens.find(({ name }: { name: string }) => name === 'Mallory').id;
    expect(tokens.map(({ made_by, made_by_name }: Record<string, string>) => [made_by, made_by_name])).toEqual([
      ['command', null],
      [`token ${id}`, 'Mallory'],
      [`token ${id}`, 'Mallory'],
      [`token ${onPage.body.id}`, null],
    ]);
    const stream = await hub.fetch('/api/events', { token: onPage.body.token });

    expect(await command(home, '--revoke', '--name', 'Mallory')).toBe('revoked 4 token(s) of person, named Mallory');
    await stream.text();
    for (const token of [mallory, direct.body.token, onPage.body.token])
      await expect.poll(() => statusOf(hub, token)).toBe(401);
    const greeting = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    const agent = await hub.fetch('/mcp/codex', {
      method: 'POST',
      token: third.body.token,
      body: JSON.stringify(greeting),
    });
    expect(agent.status).toBe(401);
    await expect.poll(async () => (await browser('/api/tokens')).status).toBe(401);
    expect((await browser('/api/tokens', { method: 'POST', body: {} })).status).toBe(401);
    for (const address of [unopened, later]) expect(await browserAt(hub, address)).toBe(403);
    expect((await rest(hub, '/api/tokens')).body.tokens).toEqual([]);
  });

  test('is gone also where the hub did not run when that happened', async () => {
    await using home = await makeHome();
    const mallory = await command(home, '--name', 'Mallory');
    let cookie = '';
    {
      await using hub = await startHub(home, { servers: {} });
      const { body } = await withToken(hub, mallory)('/api/login', { method: 'POST' });
      cookie = (await fetch(body.url)).headers.get('set-cookie')?.split(';')[0] as string;
      expect((await fetch(`${hub.url}/api/tokens`, { headers: { cookie } })).status).toBe(200);
    }
    await command(home, '--revoke', '--name', 'Mallory');
    await using hub = await startHub(home, { servers: {} });
    expect((await fetch(`${hub.url}/api/tokens`, { headers: { cookie } })).status).toBe(401);
  });

  test.skipIf(missing)('is gone at every hub on one database', async () => {
    await using home = await makeHome();
    await using other = await makeHome();
    const url = postgres.create('makers');
    await using hub = await startHub(home, { servers: {} }, ['--database', url]);
    await using second = await startHub(other, { servers: {} }, ['--database', url]);
    const mallory = await command(home, '--name', 'Mallory');
    await expect.poll(() => statusOf(second, mallory)).toBe(200);
    const { body } = await withToken(hub, mallory)('/api/login', { method: 'POST' });
    const browser = (await browserAt(second, body.url.replace(hub.url, second.url))) as Asks;
    const made = await withToken(second, mallory)('/api/tokens', { method: 'POST', body: {} });
    await expect.poll(() => statusOf(hub, made.body.token)).toBe(200);
    await command(home, '--revoke', '--name', 'Mallory');
    for (const at of [hub, second]) await expect.poll(() => statusOf(at, made.body.token)).toBe(401);
    await expect.poll(async () => (await browser('/api/tokens')).status).toBe(401);
  });
});

describe('a short token of an issuer', () => {
  promise(
    '10.8c',
    'makes tokens and logins that end with it, unless the administrator lets them last longer',
    async () => {
      await using home = await makeHome();
      await using issuer = await startJwtIssuer();
      const exp = Math.floor(Date.now() / 1000) + 300;
      const ends = async (...args: string[]) => {
        await using hub = await startHub(home, { servers: {} }, ['--issuer', issuer.url, ...args]);
        const ada = withToken(hub, await issuer.token({ aud: hub.url, scope: 'junctor:person', exp, sub: 'ada' }));
        const browser = (await browserAt(hub, (await ada('/api/login', { method: 'POST' })).body.url)) as Asks;
        const login = (await browser('/api/login')).body.expires;
        const tokens = [
          await ada('/api/tokens', { method: 'POST', body: { hours: null } }),
          await ada('/api/tokens', { method: 'POST', body: { agent: 'codex', hours: 5000 } }),
          await browser('/api/tokens', { method: 'POST', body: {} }),
        ];
        expect(tokens.map(({ body }) => body.made_by_name)).toEqual(['ada', 'ada', 'ada']);
        return [login, ...tokens.map(({ body }) => body.expires)].map(Date.parse);
      };
      // Clocks differ: a token is taken for five seconds more.
      for (const end of await ends()) expect(end).toBeLessThanOrEqual((exp + 5) * 1000);
      const longer = await ends('--issuer-tokens', '48');
      for (const end of longer) expect(end).toBeLessThanOrEqual(Date.now() + 2 * DAY_MS);
      for (const end of longer.slice(1)) expect(end).toBeGreaterThan(Date.now() + DAY_MS);
      const revoked = await command(home, '--revoke', '--by', 'ada');
      expect(revoked).toBe('revoked 6 token(s) made by ada');
    },
  );
});

describe('a token', () => {
  promise(['10.8d', '10.8e'], 'expires after 90 days by default, shows its last use, and can be rotated', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: {} });
    const made = await rest(hub, '/api/tokens', { method: 'POST', body: { name: 'Ada' } });
    const days = (Date.parse(made.body.expires) - Date.now()) / DAY_MS;
    expect([Math.round(days), made.body.last_used, made.body.made_by]).toEqual([90, null, 'hub']);
    const lasting = await rest(hub, '/api/tokens', { method: 'POST', body: { hours: null } });
    expect(lasting.body.expires).toBeNull();
    await command(home, '--agent', 'codex', '--no-expiry');
    await command(home, '--agent', 'cursor');
    const ada = withToken(hub, made.body.token);
    const child = await ada('/api/tokens', { method: 'POST', body: { agent: 'codex' } });
    const list = async () => (await rest(hub, '/api/tokens')).body.tokens as Record<string, string | null>[];
    const before = (await list()).find(({ id }) => id === made.body.id);
    expect(Date.now() - Date.parse(before?.last_used as string)).toBeLessThan(60_000);
    const shown = JSON.parse(await command(home, '--list', '--json')).tokens as Record<string, string>[];
    expect(shown.map(({ expires, last_used }) => [expires !== undefined, last_used !== undefined])).toEqual([
      [true, true],
      [false, false],
      [false, false],
      [true, false],
      [true, false],
    ]);

    const rotated = await rest(hub, `/api/tokens/${made.body.id}/rotate`, { method: 'POST' });
    expect(rotated).toMatchObject({ status: 201, body: { name: 'Ada', made_by: 'hub' } });
    expect([await statusOf(hub, made.body.token), await statusOf(hub, rotated.body.token)]).toEqual([401, 200]);
    expect((await list()).find(({ id }) => id === child.body.id)?.made_by).toBe(`token ${rotated.body.id}`);
    const again = await command(home, '--rotate', '--id', rotated.body.id);
    await expect.poll(() => statusOf(hub, rotated.body.token)).toBe(401);
    expect(await statusOf(hub, again)).toBe(200);
    expect((await rest(hub, '/api/tokens/nobody/rotate', { method: 'POST' })).status).toBe(404);
  });
});
