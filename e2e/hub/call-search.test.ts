import { junctor, makeHome, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { onePostgres } from './one-postgres.ts';
import { describedRest, readOpenApi } from './openapi.ts';
import { RawClient } from './rpc.ts';

const config = { version: 1, servers: { demo: trusted(testServer()), other: trusted(testServer()) } };
const { missing, postgres } = onePostgres();

const TEXTS: Readonly<Record<number, string>> = { 3: 'Äpfel, ÖL', 4: '50%_Off, "all"' };

/** Twelve calls: nine that were done, three that failed. */
async function make(hub: RunningHub): Promise<void> {
  const client = await RawClient.open(hub, '/mcp/codex');
  for (let at = 0; at < 9; at++)
    await client.call(at, at < 6 ? 'demo_echo' : 'other_echo', { text: TEXTS[at] ?? `number ${at}` });
  for (let at = 9; at < 12; at++) await client.call(at, 'demo_fail', {});
}

describe.each(['SQLite', 'PostgreSQL'])('calls that are over, in %s,', database => {
  test('are found by what was said in them, summed up over time, and taken away as a file', async ({ skip }) => {
    const isPostgres = database === 'PostgreSQL';
    if (isPostgres && missing !== undefined) skip(missing);
    await using home = await makeHome();
    await using hub = await startHub(home, config, isPostgres ? ['--database', postgres.create('search')] : []);
    await make(hub);
    const read = describedRest(await readOpenApi(hub));
    const texts = async (query: string): Promise<string[]> =>
      (await read(hub, `/api/calls?${query}`)).body.calls.map((call: { arguments: string }) => call.arguments);

    expect(await texts('text=NUMBER+7')).toEqual(['{"text":"number 7"}']);
    expect(await texts('text=50%25_off')).toHaveLength(1);
    expect(await texts(`text=${encodeURIComponent('äpfel, Öl')}`)).toEqual(['{"text":"Äpfel, ÖL"}']);
    expect(await texts('text=5__off'), 'no signs of SQL').toEqual([]);
    expect(await texts('text=number&server=other')).toHaveLength(3);
    expect(await texts('text=tool_failed')).toHaveLength(3);

    expect(await texts('outcome=done&failed=false&agent=codex')).toHaveLength(9);
    expect(await texts('outcome=not_sent')).toEqual([]);
    const began: string[] = (await read(hub, '/api/calls')).body.calls.map((call: { started: string }) => call.started);
    const [until, , , since] = began as [string, string, string, string];
    const between = began.filter(at => at >= since && at < until);
    expect(await texts(`since=${since}&until=${until}`)).toHaveLength(between.length);
    const words = ['calls', '--server', 'other', '--json', '--data', home.data];
    expect(JSON.parse((await junctor(home, words)).stdout).calls).toHaveLength(3);

    const seen: string[] = [];
    for (let before = ''; before !== 'null'; ) {
      const { calls, next } = (await read(hub, `/api/calls?server=demo&limit=4${before && `&before=${before}`}`)).body;
      seen.push(...calls.map((call: { call_id: string }) => call.call_id));
      before = String(next);
    }
    expect(new Set(seen).size).toBe(9);

    const summary = (await read(hub, '/api/calls/summary?parts=5')).body;
    expect(summary).toMatchObject({ calls: 12, errors: 3, p50_ms: expect.any(Number), p95_ms: expect.any(Number) });
    expect(summary.parts).toHaveLength(5);
    const inParts = (key: 'calls' | 'errors'): number =>
      summary.parts.reduce((sum: number, part: Record<string, number>) => sum + (part[key] ?? 0), 0);
    expect([inParts('calls'), inParts('errors')]).toEqual([12, 3]);
    expect((await read(hub, '/api/calls/summary?server=other&failed=true')).body).toMatchObject({
      calls: 0,
      p50_ms: null,
    });
    expect((await read(hub, '/api/calls/summary?parts=0')).status).toBe(400);

    const csv = await hub.fetch('/api/calls/export.csv?tool=echo');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="junctor-calls.csv"');
    const lines = (await csv.text()).split('\r\n');
    expect(lines[0]).toMatch(/^call_id,bearer,agent,.*,arguments$/);
    expect(lines).toHaveLength(9 + 2);
    expect(lines.find(line => line.includes('50%'))).toContain('"{""text"":""50%_Off, \\""all\\""""}"');

    const jsonl = (await (await hub.fetch('/api/calls/export.jsonl?failed=true')).text()).trim().split('\n');
    expect(jsonl.map(line => JSON.parse(line).tool)).toEqual(['fail', 'fail', 'fail']);
    expect((await hub.fetch('/api/calls/export.csv', { token: '' })).status).toBe(401);
  });
});
