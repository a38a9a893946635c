/** What administrators do is written down: who, what, before and after, from where. */
import { junctor, makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { rest } from './rest-client.ts';

const SECRET = 'hunter2-hunter2';

interface Act extends Readonly<Record<'act' | 'target' | 'made_with' | 'via' | 'address' | 'outcome', string>> {
  readonly person: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

describe('an act of an administrator', () => {
  promise(
    ['10.8m', '10.8n'],
    'is written down with who did it, what was there before and after, and from where',
    async () => {
      await using home = await makeHome();
      await using hub = await startHub(home, { version: 1, servers: { demo: trusted(testServer()) } });
      const made = await rest(hub, '/api/tokens', { method: 'POST', body: { name: 'Ada' } });
      const ada: RunningHub = { ...hub, fetch: (path, init) => hub.fetch(path, { ...init, token: made.body.token }) };
      const definition = {
        transport: 'stdio',
        command: 'node',
        args: ['x.js'],
        env: { API_KEY: SECRET },
        enabled: false,
      };
      const steps: [string, string, unknown?][] = [
        ['POST', '/api/servers', { id: 'extra', definition }],
        ['PATCH', '/api/servers/extra', { enabled: true }],
        ['DELETE', '/api/servers/extra'],
        ['POST', '/api/servers/extra/restore'],
        ['PUT', '/api/secrets/plain', { value: SECRET }],
        ['DELETE', '/api/secrets/plain'],
        ['PUT', '/api/executors/box', { allow_stdio: false }],
        ['DELETE', '/api/executors/box'],
        ['PATCH', '/api/config/settings', { results: { store_max_count: 77 } }],
        ['POST', '/api/mcp-config?agent=cursor', { enabled: true, servers: {} }],
        ['DELETE', '/api/mcp-config?agent=cursor'],
        ['POST', '/api/tokens', { agent: 'codex' }],
        ['DELETE', '/api/tokens/nobody'],
      ];
      for (const [method, path, body] of steps) await rest(ada, path, { method, body });
      const { body } = await rest(hub, '/api/audit?limit=1000');
      const acts = (body.acts as Act[]).reverse();
      expect(acts.map(({ act, target, outcome }) => [act, target.replace(/^\w{12}$/, 'ID'), outcome])).toEqual([
        ['token.create', 'ID', 'done'],
        ['server.add', 'extra', 'done'],
        ['server.switch', 'extra', 'done'],
        ['server.remove', 'extra', 'done'],
        ['server.restore', 'extra', 'done'],
        ['secret.set', 'plain', 'done'],
        ['secret.remove', 'plain', 'done'],
        ['executor.set', 'box', 'done'],
        ['executor.remove', 'box', 'done'],
        ['config.settings', '', 'done'],
        ['agent.config.set', 'cursor', 'done'],
        ['agent.config.remove', 'cursor', 'done'],
        ['token.create', 'ID', 'done'],
        ['token.revoke', 'nobody', '404'],
      ]);
      const of = (name: string): Act => acts.findLast(({ act }) => act === name) as Act;
      expect(acts[0]).toMatchObject({ person: null, made_with: 'hub', via: 'rest', address: '127.0.0.1' });
      expect(of('server.add')).toMatchObject({ person: 'Ada', made_with: `token ${made.body.id}`, before: null });
      expect(of('server.add').after).toContain('"command":"node"');
      expect(of('server.remove')).toMatchObject({ before: expect.stringContaining('"node"'), after: null });
      expect(of('config.settings').after).toContain('"results.store_max_count":77');
      expect(of('token.create')).toMatchObject({ before: '[]', after: expect.stringContaining('"agent":"codex"') });
      // No value of a secret and no token, wherever it came in.
      const all = JSON.stringify(body);
      expect([all.includes(SECRET), all.includes('jct_')]).toEqual([false, false]);

      const few = await rest(hub, '/api/audit?act=token&person=Ada');
      expect(few.body.acts.map(({ act }: Act) => act)).toEqual(['token.revoke', 'token.create']);
      const printed = await junctor(home, ['audit', '--act', 'secret', '--data', home.data]);
      expect(printed.stdout).toMatch(/Ada +token \w{12} +rest 127\.0\.0\.1 +secret\.set +plain +done\n/);
      const agent = await rest(hub, '/api/tokens', { method: 'POST', body: { agent: 'codex' } });
      expect((await hub.fetch('/api/audit', { token: agent.body.token })).status).toBe(403);
    },
  );

  promise('10.8n', 'on the page has the name of the person who logged in', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: {} });
    const { token } = (await rest(hub, '/api/tokens', { method: 'POST', body: { name: 'Bob' } })).body;
    const login = await hub.fetch('/api/login', { method: 'POST', token });
    const landed = await fetch(((await login.json()) as { url: string }).url);
    const cookie = landed.headers.get('set-cookie')?.split(';')[0] as string;
    const { csrf } = (await (await fetch(`${hub.url}/api/login`, { headers: { cookie } })).json()) as { csrf: string };
    const headers = { cookie, 'x-junctor-csrf': csrf, 'content-type': 'application/json' };
    await fetch(`${hub.url}/api/tokens`, { method: 'POST', headers, body: '{"agent":"zed"}' });
    const [last] = (await rest(hub, '/api/audit')).body.acts as Act[];
    expect(last).toMatchObject({ act: 'token.create', person: 'Bob', via: 'page' });
  });
});
