import { readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import {
  type Home,
  isRunning,
  junctor,
  makeHome,
  promise,
  quietPort,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { RawClient } from './rpc.ts';

async function withHub(run: (hub: RunningHub, home: Home) => Promise<void>): Promise<void> {
  await using home = await makeHome();
  await using hub = await startHub(home, { version: 1, servers: { demo: trusted(testServer()) } });
  await run(hub, home);
}

const initialize = (more: object = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {} },
  }),
  ...more,
});

/** A request with headers that fetch would not let through. */
function statusOf(hub: RunningHub, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(hub.url);
    const asked = request({
      host: '127.0.0.1',
      port,
      path: '/mcp/codex',
      method: 'POST',
      headers: { authorization: `Bearer ${hub.token}`, ...headers },
    });
    asked.on('response', response => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end(initialize().body as string);
  });
}

describe('a token', () => {
  promise(
    ['9.5a', '9.5b', '9.5c', '9.5d', '9.5h', '8.20c', '8.20d', '8.20e'],
    'opens what it should: a person everything, an agent its own door, a revoked one nothing',
    async () => {
      await withHub(async (hub, home) => {
        const made = await junctor(home, ['hub', 'token', '--data', home.data]);
        const person = made.stdout.trimEnd().split('\n').at(-1) as string;
        expect(person).toMatch(/^jct_[\w-]{43}$/);
        const agent = (await junctor(home, ['hub', 'token', '--agent', 'CODEX', '--data', home.data])).stdout.trim();
        const stored = await readFile(join(home.data, 'hub-tokens.json'), 'utf8');
        expect([stored.includes(person), stored.includes(agent)]).toEqual([false, false]);
        expect((await stat(join(home.data, 'hub-tokens.json'))).mode & 0o777).toBe(0o600);
        const status = async (path: string, token: string) => (await hub.fetch(path, initialize({ token }))).status;
        await expect.poll(() => status('/mcp/codex', person)).toBe(200);
        expect(await Promise.all([status('/mcp/cursor', person), status('/servers/demo/mcp', person)])).toEqual([
          200, 200,
        ]);
        expect(
          await Promise.all([
            status('/mcp/codex', agent),
            status('/servers/demo/mcp', agent),
            status('/mcp/cursor', agent),
          ]),
        ).toEqual([200, 200, 403]);
        await junctor(home, ['hub', 'token', '--agent', 'codex', '--revoke', '--data', home.data]);
        await expect.poll(() => status('/mcp/codex', agent)).toBe(401);
        expect(await status('/mcp/codex', person)).toBe(200);
      });
    },
  );

  promise(['9.5i', '9.5j', '9.5l', '8.25a'], 'is needed everywhere but for the health check', async () => {
    await withHub(async hub => {
      const without = async (path: string) => (await fetch(`${hub.url}${path}`, initialize())).status;
      expect(await Promise.all(['/mcp/codex', '/servers/demo/mcp', '/nowhere'].map(without))).toEqual([401, 401, 401]);
      expect((await hub.fetch('/mcp/codex', initialize({ token: 'jct_wrong' }))).status).toBe(401);
      expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
      expect((await fetch(`${hub.url}/.well-known/oauth-protected-resource`)).status).toBe(404);
      const refused = await fetch(`${hub.url}/mcp/codex`, initialize());
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    });
  });
});

promise('9.5m', 'the hub is no authorization server: it offers no authorize, token or register endpoint', async () => {
  await withHub(async hub => {
    const metadata = await fetch(`${hub.url}/api/openapi.json`, { headers: { authorization: `Bearer ${hub.token}` } });
    const { paths } = (await metadata.json()) as { paths: Record<string, unknown> };
    expect(Object.keys(paths).filter(path => /authori[sz]e|\/token\b|register|oauth|well-known/.test(path))).toEqual(
      [],
    );
    const places = ['authorize', 'token', 'register', 'revoke', 'introspect', 'jwks', 'device_authorization'];
    const wellKnown = ['oauth-authorization-server', 'openid-configuration', 'oauth-authorization-server/mcp/codex'];
    const asked = [
      ...['', '/oauth', '/oauth2', '/auth', '/mcp/codex', '/api'].flatMap(root =>
        places.map(name => `${root}/${name}`),
      ),
      ...wellKnown.map(name => `/.well-known/${name}`),
    ];
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' });
    for (const path of asked) {
      const statuses = await Promise.all(
        [{}, { method: 'POST', body }].map(async init => (await hub.fetch(path, init)).status),
      );
      expect([path, ...statuses]).toEqual([path, 404, 404]);
    }
  });
});

describe('a door', () => {
  promise(['9.5q', '9.5r'], 'is closed to other hosts and origins', async () => {
    await withHub(async hub => {
      const { port } = new URL(hub.url);
      const statuses = await Promise.all([
        statusOf(hub, { host: `127.0.0.1:${port}` }),
        statusOf(hub, { host: `localhost:${port}`, origin: 'http://localhost:5173' }),
        statusOf(hub, { host: `[::1]:${port}` }),
        statusOf(hub, { host: 'evil.example' }),
        statusOf(hub, { host: `127.0.0.1:${port}`, origin: 'https://evil.example' }),
        statusOf(hub, { host: `127.0.0.1:${port}`, origin: 'null' }),
        statusOf(hub, { host: 'localhost.evil.example' }),
      ]);
      expect(statuses).toEqual([200, 200, 200, 403, 403, 403, 403]);
    });
  });

  promise(
    ['9.6d', '9.6e', '9.6f', '8.33b'],
    'exists for every known agent, and names them for an unknown one',
    async () => {
      await withHub(async hub => {
        const ids =
          'claude-code codex cursor gemini qwen-code opencode kilo copilot droid grok cline continue goose kimi vscode windsurf zed claude-desktop default';
        const statuses = await Promise.all(
          ids.split(' ').map(async id => (await hub.fetch(`/mcp/${id}`, initialize())).status),
        );
        expect(new Set(statuses)).toEqual(new Set([200]));
        const unknown = await hub.fetch('/mcp/emacs', initialize());
        expect(unknown.status).toBe(404);
        for (const id of ids.split(' ')) expect(await unknown.clone().text()).toContain(id);
      });
    },
  );

  promise('8.23d', 'tells a client without a session what to do, and ends sessions', async () => {
    await withHub(async hub => {
      const list = (headers: Record<string, string>) =>
        hub.fetch('/mcp/codex', {
          method: 'POST',
          headers,
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        });
      expect((await list({})).status).toBe(400);
      expect((await list({ 'mcp-session-id': 'forgotten' })).status).toBe(404);
      const session = (await hub.fetch('/mcp/codex', initialize())).headers.get('mcp-session-id') as string;
      expect((await list({ 'mcp-session-id': session })).status).toBe(200);
      // A session is good at its own door only.
      expect(
        (
          await hub.fetch('/mcp/cursor', {
            method: 'POST',
            headers: { 'mcp-session-id': session },
            body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
          })
        ).status,
      ).toBe(404);
      expect((await hub.fetch('/mcp/codex', { method: 'DELETE', headers: { 'mcp-session-id': session } })).status).toBe(
        204,
      );
      expect((await list({ 'mcp-session-id': session })).status).toBe(404);
      expect((await hub.fetch('/mcp/codex', { method: 'POST', body: '{broken' })).status).toBe(400);
      // The stream is a session's; and nothing else is known.
      expect((await hub.fetch('/mcp/codex')).status).toBe(400);
      expect((await hub.fetch('/mcp/codex', { method: 'PUT' })).status).toBe(405);
      expect(
        (await hub.fetch('/mcp/codex', initialize({ headers: { 'mcp-protocol-version': '1999-01-01' } }))).status,
      ).toBe(400);
    });
  });

  promise('2.6f', 'says so when a tool or a method does not exist', async () => {
    await withHub(async hub => {
      const client = await RawClient.open(hub, '/mcp/codex');
      const answers = [
        ...(await client.call(1, 'demo_nope', {})),
        ...(await client.messages({ id: 2, method: 'prompts/nope' })),
      ];
      expect(answers.map(({ error }) => (error as { code: number }).code)).toEqual([-32602, -32601]);
    });
  });
});

describe('an agent', () => {
  promise(['9.5f', '5.6c'], 'gets the servers its list names, by both doors, and no other', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, {
      servers: { demo: trusted(testServer()), priv: trusted(testServer()) },
      agents: { cursor: { servers: ['demo'] } },
    });
    const client = await RawClient.open(hub, '/mcp/cursor');
    const [listed] = await client.messages({ id: 1, method: 'tools/list' });
    expect(JSON.stringify(listed)).not.toContain('priv_');
    expect((await client.call(2, 'priv_echo', { text: 'x' }))[0]?.error).toMatchObject({ code: -32602 });
    const token = (await junctor(home, ['hub', 'token', '--agent', 'cursor', '--data', home.data])).stdout.trim();
    const status = async (id: string) => (await hub.fetch(`/servers/${id}/mcp`, initialize({ token }))).status;
    await expect.poll(() => status('demo')).toBe(200);
    expect(await status('priv')).toBe(403);
  });
});

describe('the hub', () => {
  promise('9.3i', 'refuses to be its own server', async () => {
    await using home = await makeHome();
    const port = await quietPort();
    const self = { transport: 'http', url: `http://127.0.0.1:${port}/mcp/codex`, trust: 'trusted' };
    await using hub = await startHub(home, { servers: { self, demo: trusted(testServer()) } }, [
      '--port',
      String(port),
    ]);
    const client = await RawClient.open(hub, '/mcp/codex');
    const [{ result }] = (await client.messages({ id: 1, method: 'tools/list' })) as [
      { result: { tools: { name: string }[] } },
    ];
    expect(new Set(result.tools.map(({ name }) => name.split('_')[0]))).toEqual(new Set(['demo']));
  });

  promise(['8.31d', '8.31b'], 'says where it is while it runs, and takes that back', async () => {
    await using home = await makeHome();
    const file = join(home.data, 'hub.json');
    {
      await using hub = await startHub(home, { version: 1, servers: {} });
      const { url, pid, version } = JSON.parse(await readFile(file, 'utf8'));
      expect({ url, pid, version }).toEqual({ url: hub.url, pid: hub.pid, version: '0.1.0' });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const second = await junctor(home, ['hub', '--data', home.data, '--port', '0']);
      expect([second.code, second.stderr.split('\n')[0]]).toEqual([
        1,
        `error: A hub already runs at ${hub.url}. (hub_running)`,
      ]);
    }
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  promise(['8.20f', '8.20g'], 'can be asked for and ended by command, its servers with it', async () => {
    await using home = await makeHome();
    const ask = async (verb: string) => {
      const { code, stdout } = await junctor(home, ['hub', verb, '--data', home.data, '--json']);
      return [code, JSON.parse(stdout)];
    };
    expect(await ask('status')).toEqual([1, { running: false, data: home.data }]);
    await using hub = await startHub(home, { version: 1, servers: { demo: trusted(testServer()) } });
    const client = await RawClient.open(hub, '/mcp/codex');
    const [answer] = await client.call(1, 'demo_pid', {});
    const { pid, url } = hub;
    const served = { own: null, fixed: true, projects: [] };
    const running = { running: true, url, pid, version: '0.1.0', data: home.data, ...served };
    expect(await ask('status')).toEqual([0, running]);
    expect(await ask('stop')).toEqual([0, { stopped: true, url, pid }]);
    const said = answer?.result as { content: { text: string }[] } | undefined;
    const server = Number(said?.content[0]?.text);
    expect([isRunning(pid), isRunning(server)]).toEqual([false, false]);
    expect(await ask('stop')).toEqual([0, { stopped: false }]);
  });

  promise('8.20a', 'that finds its port taken says so', async () => {
    await using home = await makeHome();
    await using other = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: {} });
    const { port } = new URL(hub.url);
    const { code, stderr } = await junctor(other, ['hub', '--data', other.data, '--port', port]);
    expect([code, stderr.split('\n')[0]]).toEqual([
      1,
      `error: Port ${port} on 127.0.0.1 is in use by process ${hub.pid} (node junctor.js). (port_in_use)`,
    ]);
  });
});
