import { makeHome, processesMarked, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { asPosted, configOf, post, rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';

const SESSIONS = 20;
const CALLS_EACH = 50;

async function kill(hub: RunningHub): Promise<void> {
  const over = new Promise(resolve => hub.process.once('exit', resolve));
  hub.process.kill('SIGKILL');
  await over;
}

interface AuditRow {
  readonly call_id: string;
  readonly session: string;
  readonly tool: string;
  readonly outcome: string;
}

async function wholeAudit(hub: RunningHub): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for (let before = ''; ; ) {
    const { calls, next } = (await rest(hub, `/api/calls?limit=1000${before}`)).body;
    rows.push(...calls);
    if (next === null) return rows;
    before = `&before=${next}`;
  }
}

promise(
  ['7.11a', '7.11b', '7.11c', '9.8c'],
  'a hub that is killed during 1,000 calls comes back with config, grants, audit and statistics, and leaves no process',
  async () => {
    await using home = await makeHome();
    const demo = trusted(testServer());
    const config = { servers: { demo: { ...demo, mode: 'shared' }, own: demo, asks: testServer() } };
    const answered = new Map<string, number>();
    let begun = 0;
    {
      await using hub = await startHub(home, config);
      await post(hub, 'cursor', { enabled: true, servers: { mine: asPosted(demo) }, meta: {} });
      await rest(hub, '/api/executors/docker', { method: 'PUT', body: { stdio_proxy: true } });
      const asker = await RawClient.open(hub, '/mcp/codex');
      const granted = asker.call('grant', 'asks_echo', { text: 'x' });
      const waiting = async () => (await rest(hub, '/api/approvals')).body.approvals;
      await expect.poll(async () => (await waiting()).length).toBe(1);
      const [{ id }] = await waiting();
      await rest(hub, `/api/approvals/${id}`, { method: 'POST', body: { answer: 'always' } });
      await granted;
      const clients = await Promise.all(Array.from({ length: SESSIONS }, () => RawClient.open(hub, '/mcp/codex')));
      const work = clients.map(async (client, index) => {
        for (let call = 0; call < CALLS_EACH; call++) {
          begun++;
          const tool = `${index % 2 === 0 ? 'demo' : 'own'}_${call % 5 === 4 ? 'slow' : 'echo'}`;
          await client.call(call, tool, tool.endsWith('slow') ? { ms: 20 } : { text: 'x' });
          answered.set(client.session, (answered.get(client.session) ?? 0) + 1);
        }
      });
      const settled = Promise.allSettled(work);
      await expect.poll(() => begun, { interval: 5, timeout: 60_000 }).toBeGreaterThan(SESSIONS * CALLS_EACH * 0.7);
      expect(processesMarked(`HOME=${home.path}`).length).toBeGreaterThan(SESSIONS / 2);
      await kill(hub);
      await settled;
    }
    // Its servers end with it, those of every session.
    const left = (): string[] => processesMarked(`HOME=${home.path}`).map(({ command }) => command);
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);

    await using hub = await startHub(home, config);
    const rows = (await wholeAudit(hub)).filter(({ session }) => answered.has(session));
    expect(new Set(rows.map(({ call_id }) => call_id)).size).toBe(rows.length);
    expect(new Set(rows.map(({ outcome }) => outcome)).difference(new Set(['done', 'unknown', 'not_sent'])).size).toBe(
      0,
    );
    for (const [session, count] of answered) {
      const own = rows.filter(row => row.session === session);
      const done = own.filter(({ outcome }) => outcome === 'done').length;
      // One call of each session was under way. The journal may not have heard of the very last answer yet.
      expect(own.length).toBeGreaterThanOrEqual(count);
      expect(own.length).toBeLessThanOrEqual(count + 1);
      expect(done).toBeGreaterThanOrEqual(count - 1);
    }
    const { tools } = (await rest(hub, '/api/stats')).body as { tools: { calls: number; server: string }[] };
    const counted = tools.filter(({ server }) => server !== 'asks').reduce((sum, { calls }) => sum + calls, 0);
    expect(counted).toBe(rows.filter(({ outcome }) => outcome !== 'not_sent').length);
    expect(Object.keys((await configOf(hub, 'cursor')).body.servers)).toEqual(['mine']);
    expect((await rest(hub, '/api/executors')).body.executors).toContainEqual(
      expect.objectContaining({ executor: 'docker', policy: expect.objectContaining({ stdio_proxy: true }) }),
    );
    // What was allowed for always still is.
    const again = await RawClient.open(hub, '/mcp/codex');
    expect(JSON.stringify(await again.call(1, 'asks_echo', { text: 'still' }))).toContain('still');
  },
);
