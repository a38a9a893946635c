import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type Home,
  junctor,
  makeHome,
  promise,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { onePostgres } from './one-postgres.ts';
import { asPosted, configOf, post, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const demo = trusted(testServer());
const CONFIG = { version: 1, servers: { demo } };
const { missing, postgres } = onePostgres();

const POSTED = { enabled: true, servers: { mine: asPosted(demo) }, meta: { mine: { name: 'Mine' } } };
const POLICY = { allow_sse: false, env_injection: { REGION: 'eu' } };

/** Everything that is stored, once by each way there is to store it. */
async function store(hub: RunningHub): Promise<void> {
  const answers = [
    await post(hub, 'codex', POSTED),
    await post(hub, 'cursor', { enabled: false, servers: {} }),
    await rest(hub, '/api/executors/k8s', { method: 'PUT', body: POLICY }),
    await rest(hub, '/api/agents/codex/executors/k8s', { method: 'PUT', body: { allow_sse: true } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
}

/** What is read from it, in the same words whatever it lies in. */
async function stored(hub: RunningHub): Promise<object> {
  const { body } = await rest(hub, '/api/executors?agent=codex');
  const k8s = body.executors.find(({ executor }: { executor: string }) => executor === 'k8s');
  const client = await RawClient.open(hub, '/mcp/codex');
  const [called] = await client.call(1, 'mine_echo', { text: 'kept' });
  return {
    codex: await configOf(hub, 'codex'),
    cursor: (await configOf(hub, 'cursor')).body,
    k8s,
    called: called?.result,
  };
}

const EXPECTED = {
  codex: { status: 200, etag: expect.any(String), body: { agent_id: 'codex', ...POSTED } },
  cursor: { agent_id: 'cursor', enabled: false, servers: {} },
  k8s: {
    executor: 'k8s',
    runs: null,
    stored: POLICY,
    etag: expect.any(String),
    policy: {
      allow_stdio: true,
      allow_http: true,
      allow_sse: true,
      allow_streamable_http: true,
      allow_ws: true,
      stdio_proxy: false,
      http_url_rewrite: {},
      env_injection: { REGION: 'eu' },
      env_server_wins: [],
    },
  },
  called: { content: [{ type: 'text', text: 'kept' }] },
};

/** Stores, reads, ends the hub in this way, and reads again from a new one. */
async function throughRestart(
  home: Home,
  args: readonly string[],
  end: (hub: RunningHub) => Promise<void>,
): Promise<void> {
  let before: object;
  {
    await using hub = await startHub(home, CONFIG, args);
    await store(hub);
    before = await stored(hub);
    expect(before).toEqual(EXPECTED);
    await end(hub);
  }
  await using hub = await startHub(home, CONFIG, args);
  expect(await stored(hub)).toEqual(before);
}

function statusOfUpgrade(url: string, cookie: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers: { cookie } });
    socket.on('error', reject).on('unexpected-response', (asked, answer) => {
      asked.destroy();
      resolve(answer.statusCode);
    });
  });
}

/** Nothing of it gets a chance to say goodbye. */
async function kill(hub: RunningHub): Promise<void> {
  const over = new Promise(resolve => hub.process.once('exit', resolve));
  hub.process.kill('SIGKILL');
  await over;
}

describe('without a database URL', () => {
  promise(
    ['5.1g', '5.1i'],
    'the hub stores in SQLite, in a file of its owner alone, and what is stored survives',
    async () => {
      await using home = await makeHome();
      await throughRestart(home, [], async () => {
        const file = join(home.data, 'hub.db');
        for (const name of [file, `${file}-wal`]) expect((await stat(name)).mode & 0o777).toBe(0o600);
        expect((await readFile(file)).subarray(0, 15).toString()).toBe('SQLite format 3');
        using database = new DatabaseSync(file, { readOnly: true });
        expect(database.prepare('select agent from agent_configs order by agent').all()).toEqual([
          { agent: 'codex' },
          { agent: 'cursor' },
        ]);
        expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
      });
    },
  );

  promise('5.1i', 'what is stored survives kill -9', async () => {
    await using home = await makeHome();
    await throughRestart(home, [], kill);
  });

  test('a file that is no database is told about, and stays as it is', async () => {
    await using home = await makeHome();
    const file = await home.write(
      'data/hub.db',
      'my shopping list, which is much longer than a hundred characters '.repeat(4),
    );
    const { code, stderr } = await junctor(home, ['hub', '--data', home.data, '--port', '0']);
    expect([code, stderr.split('\n').slice(0, 2)]).toEqual([
      1,
      [`error: The hub's database ${file} cannot be opened. (database_failed)`, '  why: file is not a database'],
    ]);
    expect(await readFile(file, 'utf8')).toContain('my shopping list');
  });
});

describe('with a PostgreSQL URL', () => {
  promise(['5.1h', '5.1i', '8.20b'], 'the hub stores there, with the same behaviour', async context => {
    context.skip(missing !== undefined, missing);
    await using home = await makeHome();
    const database = ['--database', postgres.create('same')];
    await throughRestart(home, database, async () => {
      await expect(stat(join(home.data, 'hub.db'))).rejects.toThrow('ENOENT');
    });
    await throughRestart(home, database, kill);
  });

  test('hubs on one database hear from each other', async context => {
    context.skip(missing !== undefined, missing);
    await using one = await makeHome();
    await using other = await makeHome();
    const database = ['--database', postgres.create('shared')];
    // At the same moment: each makes the tables that are missing, and none of them twice.
    const [here, there] = await Promise.all([startHub(one, CONFIG, database), startHub(other, CONFIG, database)]);
    await using _here = here;
    await using _there = there;
    await store(here);
    await expect.poll(() => stored(there)).toEqual(EXPECTED);
    const { etag } = await configOf(there, 'codex');
    const headers = { 'if-match': etag as string };
    const rush = await Promise.all(
      [here, there, here, there].map((hub, count) =>
        post(hub, 'codex', { enabled: true, servers: { [`n${count}`]: { type: 'stdio', command: 'x' } } }, headers),
      ),
    );
    expect(rush.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  promise('8.25b', 'the hub is ready while its database answers, and not otherwise', async context => {
    context.skip(missing !== undefined, missing);
    await using home = await makeHome();
    await using hub = await startHub(home, CONFIG, ['--database', postgres.create('gone')]);
    const ready = async () => (await fetch(`${hub.url}/readyz`)).status;
    expect(await ready()).toBe(200);
    const { url: address } = (await (await hub.fetch('/api/login', { method: 'POST' })).json()) as { url: string };
    const login = await fetch(address);
    const cookie = login.headers.get('set-cookie')?.split(';', 1)[0] as string;
    postgres.stop();
    try {
      await expect.poll(ready).toBe(503);
      expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
      const { status, body } = await rest(hub, '/api/calls');
      expect([status, body.error.code, body.error.message]).toEqual([
        503,
        'database_failed',
        expect.stringContaining('cannot be reached'),
      ]);
      // A browser whose login cannot be looked up is told so, whatever it asks for; once this ended the hub.
      expect((await fetch(`${hub.url}/api/calls`, { headers: { cookie } })).status).toBe(503);
      expect(await statusOfUpgrade(`${hub.url}/ws/codex`, cookie)).toBe(503);
      // Agents are served meanwhile; what they did is written later.
      const client = await RawClient.open(hub, '/mcp/codex');
      expect((await client.call(1, 'demo_echo', { text: 'x' }))[0]?.result).toMatchObject({ content: [{ text: 'x' }] });
    } finally {
      postgres.start();
    }
    await expect.poll(ready).toBe(200);
    expect(hub.stderr()).not.toContain('JunctorError');
  });

  test('a database that cannot be reached, or is none, is told about without its password', async () => {
    await using home = await makeHome();
    const start = async (url: string) => {
      const { code, stdout, stderr } = await junctor(home, [
        'hub',
        '--data',
        home.data,
        '--port',
        '0',
        '--database',
        url,
      ]);
      expect(`${stdout}${stderr}`).not.toContain('s3cret-word');
      return [code, stderr.split('\n')[0]];
    };
    expect(await start('postgres://me:s3cret-word@127.0.0.1:1/x')).toEqual([
      1,
      "error: The hub's database postgres://me@127.0.0.1:1/x cannot be reached. (database_failed)",
    ]);
    expect(await start('mysql://me:s3cret-word@127.0.0.1/x')).toEqual([
      2,
      'error: --database takes the URL of a PostgreSQL database. (usage)',
    ]);
  });
});
