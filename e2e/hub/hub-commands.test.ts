import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { JUNCTOR, junctor, makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test, vi } from 'vitest';
import { startHubHere } from './hub-here.ts';
import { RawClient } from './rpc.ts';

const CONFIG = {
  version: 1,
  servers: {
    demo: { ...trusted(testServer()), mode: 'shared' },
    own: trusted(testServer()),
    asks: testServer(),
  },
};

describe('commands that ask the running hub', () => {
  promise('8.14d', 'calls lists every call with its outcome, and filters', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, CONFIG);
    const client = await RawClient.open(hub, '/mcp/codex');
    await client.call(1, 'demo_echo', { text: 'hi' });
    await client.call(2, 'own_fail', {});
    const other = await RawClient.open(hub, '/mcp/cursor');
    await other.call(1, 'demo_echo', { text: 'ho' });
    const list = async (...words: string[]) => {
      const { code, stdout } = await junctor(home, ['calls', '--data', home.data, '--json', ...words]);
      expect(code).toBe(0);
      return (JSON.parse(stdout) as { calls: Record<string, unknown>[] }).calls.map(
        ({ agent, server, tool, outcome, failed }) => [agent, server, tool, outcome, failed],
      );
    };
    const [hi, fail, ho] = [
      ['codex', 'demo', 'echo', 'done', false],
      ['codex', 'own', 'fail', 'done', true],
      ['cursor', 'demo', 'echo', 'done', false],
    ];
    expect(await list()).toEqual([ho, fail, hi]);
    expect(await list('--failed')).toEqual([fail]);
    expect(await list('--agent', 'codex', '--limit', '1')).toEqual([fail]);
    expect(await list('--server', 'demo', '--tool', 'echo')).toEqual([ho, hi]);
    expect(await list('--outcome', 'unknown')).toEqual([]);
    const { stdout } = await junctor(home, ['calls', '--data', home.data]);
    const rows = stdout.trimEnd().split('\n');
    expect(rows[0]?.split(/ {2,}/)).toEqual(['STARTED', 'AGENT', 'TOOL', 'TIME', 'OUTCOME', 'RESULT']);
    expect(rows[2]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}codex {3}own\/fail +\d+ ms +done +\S+$/);
  });

  promise('8.14g', 'a time that calls shows finds that call again, whatever the zone', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, CONFIG);
    await (await RawClient.open(hub, '/mcp/codex')).call(1, 'demo_echo', { text: 'hi' });
    const env = { TZ: 'America/Los_Angeles' };
    const calls = async (...words: string[]) =>
      (await junctor(home, ['calls', '--data', home.data, ...words], { env })).stdout.trimEnd().split('\n');
    const shown = (await calls())[1]?.slice(0, 19) as string;
    expect(await calls('--since', shown)).toHaveLength(2);
    expect(await calls('--since', shown.replace(' ', 'T'))).toHaveLength(2);
    expect(await calls('--until', shown)).toEqual(['no call passed the hub']);
    expect(await calls('--since', `${shown.replace(' ', 'T')}+14:00`)).toHaveLength(2);
    expect(await calls('--since', `${shown.replace(' ', 'T')}-12:00`)).toEqual(['no call passed the hub']);
  });

  promise('8.14f', 'sessions says who was last seen when, and hides a client that is gone', async () => {
    await using home = await makeHome();
    await using hub = await startHubHere(home);
    const client = await RawClient.open(hub, '/mcp/codex');
    const sessions = async (...words: string[]) =>
      (await junctor(home, ['sessions', '--data', home.data, ...words])).stdout.trimEnd().split('\n');
    expect((await sessions())[1]).toMatch(/^\w{8} +codex .* now +-$/);
    // Its process ended, without a word to the hub.
    const clock = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => clock() + 61_000);
    try {
      expect(await sessions()).toEqual([
        'no client is connected',
        '1 more not seen for a minute, and maybe gone: --all shows them',
      ]);
      expect((await sessions('--all'))[1]).toMatch(/^\w{8} +codex .*:\d\d +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +-$/);
    } finally {
      later.mockRestore();
    }
    expect((await sessions())[1]).toContain('codex');
    await hub.fetch('/mcp/codex', { method: 'DELETE', headers: { 'mcp-session-id': client.session } });
    await expect.poll(async () => (await sessions('--all'))[1]).toContain(', over');
  });

  test('calls --follow tells of each call as it ends', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, CONFIG);
    const client = await RawClient.open(hub, '/mcp/codex');
    await client.call(1, 'demo_echo', { text: 'before' });
    const words = [JUNCTOR, 'calls', '--follow', '--json', '--data', home.data, '--server', 'demo'];
    const child = spawn(process.execPath, words, {
      cwd: home.project,
      env: home.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await once(child.stderr, 'data');
    const line = once(createInterface({ input: child.stdout }), 'line');
    await client.call(2, 'own_echo', { text: 'of another server' });
    await client.call(3, 'demo_json_response', {});
    expect(JSON.parse(String((await line)[0]))).toMatchObject({
      server: 'demo',
      tool: 'json_response',
      outcome: 'done',
    });
    child.kill('SIGINT');
    expect((await once(child, 'close'))[0]).toBe(0);
  });

  promise(['8.14e', '7.2l'], 'sessions lists who is there, and which sessions share which instance', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, CONFIG);
    const clients = [await RawClient.openFirst(hub, '/mcp/codex'), await RawClient.openFirst(hub, '/mcp/cursor')];
    for (const client of clients) {
      await client.call(1, 'demo_echo', { text: 'hi' });
      await client.call(2, 'own_echo', { text: 'hi' });
    }
    const ids = clients.map(({ session }) => session);
    const { stdout } = await junctor(home, ['sessions', '--data', home.data, '--json']);
    const found = JSON.parse(stdout) as {
      sessions: { id: string; agent: string; client: string }[];
      instances: { server: string; mode: string; sessions: { id: string }[] }[];
    };
    expect(new Map(found.sessions.map(({ id, agent }) => [id, agent]))).toEqual(
      new Map([
        [ids[0], 'codex'],
        [ids[1], 'cursor'],
      ]),
    );
    const shared = found.instances.map(({ server, mode, sessions }) => [
      server,
      mode,
      sessions.map(({ id }) => id).sort(),
    ]);
    expect(shared.filter(([server]) => server === 'demo')).toEqual([['demo', 'shared', [...ids].sort()]]);
    const own = shared.filter(([server]) => server === 'own').map(([, mode, users]) => `${mode} ${users}`);
    expect(own.sort()).toEqual(ids.map(id => `per_session ${id}`).sort());
    // The same for people, in fewer letters.
    const { stdout: text } = await junctor(home, ['sessions', '--data', home.data]);
    const row = text.split('\n').find(line => line.startsWith('demo '));
    for (const id of ids) expect(row).toContain(id.slice(0, 8));
    expect(text).toMatch(/^SESSION +DOOR +CLIENT +PROTOCOL +OPENED +SEEN +CALLED$/m);
    expect(text).toMatch(/ now +demo, own$/m);
    const { stdout: some } = await junctor(home, ['sessions', '--data', home.data, '--agent', 'codex', '--json']);
    expect((JSON.parse(some) as typeof found).sessions.map(({ id }) => id)).toEqual([ids[0]]);
  });

  test('name the data directory beside them on which a hub runs, as that of npm start does', async () => {
    await using home = await makeHome();
    const data = join(home.project, '.junctor');
    const beside = { ...home, data, env: { ...home.env, JUNCTOR_DATA: data } };
    await using hub = await startHub(beside, { version: 1, servers: {} });
    const { stderr } = await junctor(home, ['calls']);
    expect(stderr).toContain(`try: add --data .junctor: the hub at ${hub.url} runs on that directory`);
    expect((await junctor(home, ['calls', '--data', '.junctor'])).code).toBe(0);
  });

  test('say plainly that no hub runs', async () => {
    await using home = await makeHome();
    for (const command of ['calls', 'sessions']) {
      const { code, stdout, stderr } = await junctor(home, [command, '--data', home.data]);
      expect([code, stdout, stderr.split('\n')[0]]).toEqual([
        1,
        '',
        'error: No hub runs on this data directory. (hub_required)',
      ]);
    }
  });
});
