import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  filesystem,
  type Home,
  junctor,
  makeHome,
  misbehaving,
  promise,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const demo = trusted(testServer());

async function callsAt(hub: RunningHub, query = ''): Promise<Record<string, unknown>[]> {
  return (await rest(hub, `/api/calls${query}`)).body.calls;
}

/** Nothing of it gets a chance to say goodbye. */
async function kill(hub: RunningHub): Promise<void> {
  const over = new Promise(resolve => hub.process.once('exit', resolve));
  hub.process.kill('SIGKILL');
  await over;
}

describe('every call', () => {
  test('is written down: who, what, the verdict, how long, how large, what became of it; secrets masked', async () => {
    await using home = await makeHome();
    const config = {
      servers: { demo, dies: trusted(misbehaving('dies-in-call')), asks: testServer() },
      permissions: { deny: ['mcp__demo__slow'] },
    };
    await using hub = await startHub(home, config, ['--approval-wait', '1']);
    const token = (await junctor(home, ['hub', 'token', '--agent', 'codex', '--data', home.data])).stdout.trim();
    await expect.poll(async () => (await hub.fetch('/mcp/codex', { token })).status).not.toBe(401);
    const agentsOwn = { ...hub, fetch: (path: string, init: RequestInit = {}) => hub.fetch(path, { ...init, token }) };
    const codex = await RawClient.open(agentsOwn, '/mcp/codex');
    const person = await RawClient.open(hub, '/servers/demo/mcp');
    await codex.call(1, 'demo_echo', { text: 'hello', api_key: 'tok-0123456789', note: `Bearer ${hub.token}` });
    await codex.call(2, 'demo_fail', {});
    await codex.call(3, 'demo_slow', {});
    await codex.call(4, 'asks_echo', { text: 'x' });
    await codex.call(5, 'dies_crash', {});
    await codex.call(6, 'demo_nothing', {});
    await person.call(7, 'echo', { text: 'x'.repeat(10_000) });
    const rows = (await callsAt(hub)).reverse();
    expect(
      rows.map(({ server, tool, verdict, outcome, failed, code }) => [server, tool, verdict, outcome, failed, code]),
    ).toEqual([
      ['demo', 'echo', 'allow', 'done', false, null],
      ['demo', 'fail', 'allow', 'done', true, 'tool_failed'],
      ['demo', 'slow', 'deny', 'not_sent', true, 'permission_denied'],
      ['asks', 'echo', 'expired', 'not_sent', true, 'approval_required'],
      ['dies', 'crash', 'allow', 'unknown', true, 'connection_lost'],
      ['', 'demo_nothing', 'deny', 'not_sent', true, 'tool_not_found'],
      ['demo', 'echo', 'allow', 'done', false, null],
    ]);
    const [first, , denied] = rows;
    expect(first).toMatchObject({
      bearer: 'agent',
      agent: 'codex',
      session: codex.session,
      arguments: '{"text":"hello","api_key":"•••","note":"Bearer •••"}',
      because: expect.stringContaining('trusted'),
    });
    expect(denied?.because).toContain('mcp__demo__slow');
    expect(Number(first?.bytes_in)).toBeGreaterThan(50);
    expect(Number(first?.bytes_out)).toBeGreaterThan(50);
    expect(Number(first?.ms)).toBeGreaterThan(0);
    expect(Math.abs(Date.now() - Date.parse(String(first?.started)))).toBeLessThan(600_000);
    const last = rows.at(-1) as { arguments: string };
    expect(last).toMatchObject({ bearer: 'person', agent: null, bytes_in: 10_011 });
    expect([last.arguments.length < 5000, /… \(10011 characters, sha256 \w{64}\)$/.test(last.arguments)]).toEqual([
      true,
      true,
    ]);
    // By any of it.
    expect((await callsAt(hub, '?agent=CODEX&server=demo&tool=echo')).length).toBe(1);
    expect((await callsAt(hub, '?failed=true')).length).toBe(5);
    expect((await callsAt(hub, '?outcome=unknown')).length).toBe(1);
    expect(
      (await callsAt(hub, `?session=${codex.session}&since=${new Date(Date.now() + 1000).toISOString()}`)).length,
    ).toBe(0);
    // Page by page.
    const page = (await rest(hub, '/api/calls?limit=4')).body;
    const more = (await rest(hub, `/api/calls?limit=4&before=${page.next}`)).body;
    expect([...page.calls, ...more.calls]).toEqual(rows.reverse());
    expect(more.next).toBe(null);
  });

  promise('5.2h', 'counts in the statistics of its tool, which REST and a monitor read', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: { demo } });
    const codex = await RawClient.open(hub, '/mcp/codex');
    const cursor = await RawClient.open(hub, '/mcp/cursor');
    for (let id = 1; id <= 10; id++) await codex.call(id, 'demo_echo', { text: 'x' });
    await cursor.call(11, 'demo_echo', { text: 'x' });
    await cursor.call(12, 'demo_fail', {});
    const stats = async (query = '') => (await rest(hub, `/api/stats${query}`)).body.tools;
    const all = await stats();
    expect(all).toEqual([
      {
        server: 'demo',
        tool: 'echo',
        calls: 11,
        errors: 0,
        p50_ms: expect.any(Number),
        p95_ms: expect.any(Number),
        bytes: expect.any(Number),
        last_used: expect.any(String),
      },
      expect.objectContaining({ server: 'demo', tool: 'fail', calls: 1, errors: 1 }),
    ]);
    expect(all[0].p50_ms).toBeLessThanOrEqual(all[0].p95_ms);
    expect(all[0].bytes).toBeGreaterThan(11 * 40);
    expect((await stats('?agent=cursor')).map(({ calls }: { calls: number }) => calls)).toEqual([1, 1]);
    const text = await (await hub.fetch('/metrics')).text();
    expect(text).toContain('junctor_calls_total{agent="codex",server="demo",tool="echo"} 10\n');
    expect(text).toContain('junctor_call_errors_total{agent="cursor",server="demo",tool="fail"} 1\n');
    expect(text).toContain('junctor_call_duration_seconds_count{server="demo"} 12\n');
    expect(text).toContain('junctor_sessions 2\n');
  });
});

describe('the journal', () => {
  promise('9.8a', 'has a call before its server gets it', async () => {
    await using home = await makeHome();
    const files = trusted(filesystem(home.data));
    await home.write('data/readme', 'so that the folder is there');
    await using hub = await startHub(home, { servers: { files } });
    const client = await RawClient.open(hub, '/mcp/codex');
    // Its server runs by then.
    await client.call(0, 'files_list_allowed_directories', {});
    // The server itself reads what the journal says at that moment.
    const [answer] = await client.call(1, 'files_read_text_file', {
      path: join(home.data, 'journal', 'calls.journal'),
    });
    const { content } = (answer as { result: { content: [{ text: string }] } }).result;
    const [{ text }] = content;
    const lines = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
      .filter(line => line.includes('read_text_file'));
    // That it begins, and that it is about to be sent.
    const about = ['person', 'codex', client.session, 'files', 'read_text_file', 'allow', true, '', 'agent-endpoint'];
    expect(lines).toEqual([['begun', expect.any(String), expect.any(Number), ...about]]);
  });

  promise(
    '9.8c',
    'survives kill -9: each call that was in flight, or just over, has a definite outcome afterwards',
    async () => {
      await using home = await makeHome();
      const journal = join(home.data, 'journal', 'calls.journal');
      {
        await using hub = await startHub(home, { servers: { demo } });
        const client = await RawClient.open(hub, '/mcp/codex');
        for (let id = 1; id <= 5; id++) await client.call(id, 'demo_echo', { text: 'x' });
        const slow = client.call(6, 'demo_slow', { ms: 60_000 }).catch(() => {});
        await expect.poll(async () => (await rest(hub, '/api/calls')).body.running.length).toBe(1);
        for (let id = 7; id <= 9; id++) await client.call(id, 'demo_echo', { text: 'y' });
        // An answer is out a moment before the journal says so: killed in between, its call would be unknown.
        // What is in the database already may stand there no more: all that is left open is the slow one.
        const lines = (kind: string) =>
          readFileSync(journal, 'utf8').match(new RegExp(`^\\["${kind}"`, 'gm'))?.length ?? 0;
        await expect.poll(() => lines('begun') - lines('ended')).toBe(1);
        await kill(hub);
        await slow;
      }
      expect(readFileSync(journal, 'utf8')).toContain('"demo","slow"');
      await using hub = await startHub(home, { servers: { demo } });
      const rows = await callsAt(hub);
      const outcomes = rows.map(({ tool, outcome }) => `${tool} ${outcome}`).sort();
      expect(outcomes).toEqual([...Array.from({ length: 8 }, () => 'echo done'), 'slow unknown']);
      expect(new Set(rows.map(({ call_id }) => call_id)).size).toBe(9);
      const { tools } = (await rest(hub, '/api/stats')).body;
      expect(tools.map(({ tool, calls }: { tool: string; calls: number }) => [tool, calls])).toEqual([
        ['echo', 8],
        ['slow', 1],
      ]);
      expect(readFileSync(journal, 'utf8')).toBe('');
      const { sessions } = (await rest(hub, '/api/sessions')).body;
      expect(sessions.map(({ closed }: { closed: unknown }) => typeof closed)).toEqual(['string']);
    },
  );

  test('does not grow: what is in the database is taken out', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: { demo } });
    const client = await RawClient.open(hub, '/mcp/codex');
    for (let id = 1; id <= 50; id++) await client.call(id, 'demo_echo', { text: 'x' });
    await expect.poll(() => readFileSync(join(home.data, 'journal', 'calls.journal'), 'utf8')).toBe('');
    expect(existsSync(join(home.data, 'journal', 'calls.journal.new'))).toBe(false);
    expect((await callsAt(hub)).length).toBe(50);
  });
});

describe('a session', () => {
  promise('7.12b', 'shows no step for a server that never started, also where a client tried to use it', async () => {
    await using home = await makeHome();
    const down = { transport: 'http', url: 'http://127.0.0.1:9/mcp' };
    await using hub = await startHub(home, { servers: { demo, down }, health: { reconnect_attempts: 0 } });
    const client = await RawClient.open(hub, '/mcp/codex');
    await client.messages({ id: 1, method: 'tools/list' });
    await client.call(2, 'demo_echo', { text: 'x' });
    await client.call(3, 'down_echo', { text: 'x' });
    const { sessions } = (await rest(hub, '/api/sessions?agent=codex&open=true')).body;
    const steps = { delivered: null, initialised: null, listed: null, called: null };
    const seen = expect.any(String);
    expect(sessions[0].servers).toMatchObject([
      { server: 'demo', delivered: seen, initialised: seen, listed: seen, called: seen },
      { server: 'down', ...steps },
    ]);
  });

  promise(['7.12a', '7.12b'], 'shows for each server how far it came, and no step that nobody saw', async () => {
    await using home = await makeHome();
    await withTwoAgents(home, async hub => {
      const eager = await RawClient.open(hub, '/mcp/codex');
      await eager.messages({ id: 1, method: 'tools/list' });
      await eager.call(2, 'demo_echo', { text: 'x' });
      const shy = await RawClient.open(hub, '/mcp/codex');
      const { sessions } = (await rest(hub, '/api/sessions?agent=codex&open=true')).body;
      expect(sessions).toHaveLength(2);
      const stepsOf = (id: string) => {
        const session = sessions.find((one: { id: string }) => one.id === id);
        expect(session).toMatchObject({ agent: 'codex', client: 'raw 1', protocol: '2025-11-25', closed: null });
        const rows = session.servers as Record<string, unknown>[];
        return Object.fromEntries(
          rows.map(row => [
            row.server,
            ['configured', 'filtered', 'delivered', 'initialised', 'listed', 'called']
              .filter(step => row[step])
              .join(' '),
          ]),
        );
      };
      expect(stepsOf(eager.session)).toEqual({
        demo: 'configured delivered initialised listed called',
        other: 'configured delivered initialised listed',
        hidden: 'configured filtered',
      });
      expect(stepsOf(shy.session)).toEqual({
        demo: 'configured delivered',
        other: 'configured delivered',
        hidden: 'configured filtered',
      });
      const { servers } = sessions[0];
      expect(servers.find(({ server }: { server: string }) => server === 'hidden').filtered).toBe(
        "agent 'codex' does not get it",
      );
      await hub.fetch('/mcp/codex', { method: 'DELETE', headers: { 'mcp-session-id': shy.session } });
      const closed = (await rest(hub, '/api/sessions?open=false')).body.sessions;
      expect(closed.map(({ id }: { id: string }) => id)).toEqual([shy.session]);
    });
  });
});

describe('a shared server', () => {
  promise('7.2l', 'shows which sessions share it', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: { demo: { ...demo, mode: 'shared' }, own: demo } });
    const clients = [await RawClient.open(hub, '/mcp/codex'), await RawClient.open(hub, '/mcp/cursor')];
    for (const client of clients) {
      await client.call(1, 'demo_echo', { text: 'x' });
      await client.call(2, 'own_echo', { text: 'x' });
    }
    const { instances } = (await rest(hub, '/api/instances')).body as {
      instances: { server: string; sessions: { id: string; door: string }[] }[];
    };
    const users = (server: string) =>
      instances
        .filter(one => one.server === server && one.sessions.length > 0)
        .map(({ sessions }) => sessions.map(({ id }) => id).sort());
    const ids = clients.map(({ session }) => session);
    expect(users('demo')).toEqual([ids.toSorted()]);
    expect(users('own').toSorted()).toEqual(ids.toSorted().map(id => [id]));
    const [shared] = instances.filter(({ server }) => server === 'demo');
    expect(shared?.sessions.map(({ door }) => door).sort()).toEqual(['/mcp/codex', '/mcp/cursor']);
  });
});

async function withTwoAgents(home: Home, run: (hub: RunningHub) => Promise<void>): Promise<void> {
  const servers = { demo, other: demo, hidden: demo };
  await using hub = await startHub(home, { servers, agents: { codex: { servers: ['demo', 'other'] } } });
  await run(hub);
}
