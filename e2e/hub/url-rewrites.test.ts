/** A URL rewrite that cannot work is refused where it is written, and one that is stored already stops nothing. */
import { DatabaseSync } from 'node:sqlite';
import { junctor, makeHome, promise, startHub } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { post, rest } from './rest-client.ts';
import { demo, withHub } from './rest-hub.ts';

const web = { transport: 'http', url: 'http://127.0.0.1:9/mcp' };
const config = { version: 1, servers: { demo, web }, startup: { connect: 'lazy' } };

const WRONG: readonly Record<string, string>[] = [
  { '127.0.0.1': 'http://' },
  { '127.0.0.1': 'http://a b' },
  { '127.0.0.1': 'https://x:99999' },
  { '127.0.0.1': 'a b c' },
  { '127.0.0.1': '' },
  { '127.0.0.1': 'a/b' },
  { 'http://localhost': 'mcp.svc' },
];

promise('5.3p', 'a wrong http_url_rewrite is refused over REST, and nothing of it is stored', async () => {
  await withHub(async hub => {
    for (const http_url_rewrite of WRONG) {
      for (const path of ['/api/executors/local', '/api/agents/droid/executors/local']) {
        const { status, body } = await rest(hub, path, { method: 'PUT', body: { http_url_rewrite } });
        const [key] = Object.keys(http_url_rewrite);
        expect([path, status, body.error.problems[0].path]).toEqual([path, 400, `http_url_rewrite.${key}`]);
        expect(body.error.message).toMatch(/A URL rewrite (replaces|puts) a host/);
      }
    }
    const resolved = await rest(hub, '/api/resolve?agent=codex&executor=local');
    expect(resolved.body.servers.find((one: { name: string }) => one.name === 'web').endpoint).toBe(web.url);
    expect((await rest(hub, '/api/feasibility')).status).toBe(200);
    for (const good of ['gateway', 'gateway:80', 'https://api.example.com', '[::1]:8080', 'http://api.example.com/']) {
      const body = { http_url_rewrite: { '127.0.0.1:9': good, LocalHost: good } };
      expect([good, (await rest(hub, '/api/executors/local', { method: 'PUT', body })).status]).toEqual([good, 200]);
    }
  }, config);
});

promise('5.3p', 'validate names a wrong http_url_rewrite with its place, and the hub starts without it', async () => {
  await using home = await makeHome();
  const executors = { local: { http_url_rewrite: { '127.0.0.1': 'http://' } } };
  const file = await home.write('project/junctor.json', { ...config, executors });
  const { code, stderr } = await junctor(home, ['validate']);
  expect([code, stderr.split(': A URL')[0]]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^${RegExp.escape(file)}:\\d+:\\d+ executors.local.http_url_rewrite.127.0.0.1$`)),
  ]);
  await using hub = await startHub(home, { ...config, executors });
  expect((await rest(hub, '/api/resolve?agent=codex&executor=local')).status).toBe(200);
});

promise('5.3p', 'one that an earlier version stored does not keep the hub from starting', async () => {
  await using home = await makeHome();
  {
    await using hub = await startHub(home, config);
    await rest(hub, '/api/executors/local', { method: 'PUT', body: { http_url_rewrite: { '127.0.0.1': 'x' } } });
  }
  {
    using database = new DatabaseSync(`${home.data}/hub.db`);
    database
      .prepare('UPDATE executor_policies SET policy = ?')
      .run(JSON.stringify({ http_url_rewrite: { '127.0.0.1': 'http://' } }));
  }
  await using hub = await startHub(home, config);
  expect((await rest(hub, '/api/resolve?agent=codex&executor=local')).status).toBe(200);
});

test('bodies are refused in words that name what is missing, wrong or there twice', async () => {
  await withHub(async hub => {
    const wrong = async (body: object, agent = '?agent=codex') =>
      (await rest(hub, `/api/mcp-config${agent}`, { method: 'POST', body })).body.error;
    expect(await wrong({ enabled: true })).toMatchObject({
      code: 'config_invalid',
      message: "The body: servers: Missing 'servers'.",
    });
    const asked = await rest(hub, '/api/mcp-config');
    expect(asked.body.error).toMatchObject({ code: 'usage', message: "The query: agent: Missing 'agent'." });
    expect(JSON.stringify(asked.body)).not.toContain('nothing was changed');
    const { body } = await post(hub, 'codex', { enabled: true, servers: { a: { type: 'stdio', command: '' } } });
    expect(JSON.stringify(body)).toContain('This text must not be empty.');
    const env = { '': 'x', 'A=B': 'x', 'X Y': 'x' };
    const named = await post(hub, 'codex', { enabled: true, servers: { a: { type: 'stdio', command: 'x', env } } });
    expect(JSON.stringify(named.body).match(/A variable's name has/g)?.length).toBeGreaterThanOrEqual(3);
    const port = { type: 'http', url: 'http://127.0.0.1:99999/mcp' };
    const far = await post(hub, 'codex', { enabled: true, servers: { a: port } });
    expect(JSON.stringify(far.body)).toContain("http server 'a' has the port 99999");
    const twice = await fetch(`${hub.url}/api/mcp-config?agent=codex`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${hub.token}` },
      body: '{"enabled":true,"servers":{"a":{"type":"stdio","command":"x"},"a":{"type":"stdio","command":"y"}}}',
    });
    expect([twice.status, await twice.text()]).toEqual([400, expect.stringContaining("The key 'a' stands twice")]);
  }, config);
});
