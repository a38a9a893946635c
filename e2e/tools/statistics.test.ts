import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost, type Host, type HostOptions, type ToolStatistics } from '@junctor/core';
import {
  type Home,
  junctor,
  makeHome,
  misbehaving,
  promise,
  startedServer,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { movableClock } from '../connections/changing.ts';
import { RawClient } from '../hub/rpc.ts';

function countingHost(home: Home, results: object = {}, options: HostOptions = {}): Promise<Host> {
  const servers = { any: trusted(misbehaving('answers-anything')) };
  return createHost({ config: { servers, results }, data: home.data, ...options });
}

const run = async (host: Host, tool: string, args: object = {}, session?: string) => {
  const { output, cached } = await host.call({ server: 'any', tool }, args, session === undefined ? {} : { session });
  return cached ? `${output} (cached)` : output;
};

function rowOf(rows: readonly ToolStatistics[], tool: string): ToolStatistics {
  return rows.find(row => row.tool === tool) as ToolStatistics;
}

describe('the result cache', () => {
  promise('3.9a', 'is off by default', async () => {
    await using home = await makeHome();
    await using host = await countingHost(home);
    expect([await run(host, 'read'), await run(host, 'read')]).toEqual(['read 1', 'read 2']);
  });

  promise('3.9b', 'answers a repeated call of a read-only or idempotent tool in its time, and not after', async () => {
    await using home = await makeHome();
    const clock = movableClock();
    await using host = await countingHost(
      home,
      { cache_ttl_ms: 60_000 },
      { clock, toolsTtlMs: Number.POSITIVE_INFINITY },
    );
    for (const tool of ['read', 'repeat']) {
      expect(await run(host, tool, { a: 1, b: [2] })).toBe(`${tool} 1`);
      expect(await run(host, tool, { b: [2], a: 1 })).toBe(`${tool} 1 (cached)`);
      expect(await run(host, tool, { a: 1, b: [3] })).toBe(`${tool} 2`);
    }
    clock.pass(59_000);
    expect(await run(host, 'read', { a: 1, b: [2] })).toBe('read 1 (cached)');
    clock.pass(1001);
    expect(await run(host, 'read', { a: 1, b: [2] })).toBe('read 3');
    expect(await run(host, 'read', { a: 1, b: [2] })).toBe('read 3 (cached)');
    // A clock that is put back makes nothing younger.
    clock.pass(-3_600_000);
    expect(await run(host, 'read', { a: 1, b: [2] })).toBe('read 4');
  });

  promise('3.9c', 'never answers for a tool that is neither, nor with a failure', async () => {
    await using home = await makeHome();
    const config = { servers: { any: trusted(misbehaving('answers-anything')) }, results: { cache_ttl_ms: 60_000 } };
    await using host = await createHost({ config, data: home.data });
    expect([await run(host, 'write'), await run(host, 'write')]).toEqual(['write 1', 'write 2']);
    const failing = { server: 'any', tool: 'answer' };
    const fail = { result: { content: [{ type: 'text', text: 'no' }], isError: true } };
    expect([(await host.call(failing, fail)).cached, (await host.call(failing, fail)).cached]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('belongs to one session and one config, and is dropped when the server changes or is reached anew', async () => {
    await using home = await makeHome();
    await using host = await countingHost(home, { cache_ttl_ms: 60_000 });
    expect([await run(host, 'read'), await run(host, 'read')]).toEqual(['read 1', 'read 1 (cached)']);
    expect([await run(host, 'read', {}, 'b'), await run(host, 'read', {}, 'b')]).toEqual(['read 2', 'read 2 (cached)']);
    await run(host, 'announce');
    expect([await run(host, 'read'), await run(host, 'read')]).toEqual(['read 3', 'read 3 (cached)']);
    await host.links.reconnect('any');
    expect([await run(host, 'read'), await run(host, 'read')]).toEqual(['read 1', 'read 1 (cached)']);
    const whole = await host.call({ server: 'any', tool: 'read' }, {}, { whole: true });
    expect(whole.output).toBe('read 2');
  });

  test('counts for the credentials it was asked with, and for no others', async () => {
    await using home = await makeHome();
    const web = trusted({ ...startedServer('http'), auth_provider: 'me' });
    let token = 'token-of-ada';
    await using host = await createHost({
      config: { servers: { web }, results: { cache_ttl_ms: 60_000 } },
      data: home.data,
      authProvidersById: { me: { token: async () => token } },
    });
    const echo = async () => (await host.call({ server: 'web', tool: 'echo' }, { text: 'hi' })).cached;
    expect([await echo(), await echo()]).toEqual([undefined, true]);
    token = 'token-of-bob';
    expect([await echo(), await echo()]).toEqual([undefined, true]);
    token = 'token-of-ada';
    expect(await echo()).toBe(true);
  });

  test('changes nothing about who may call', async () => {
    await using home = await makeHome();
    const any = misbehaving('answers-anything');
    const config = { servers: { any }, permissions: {}, results: { cache_ttl_ms: 60_000 } };
    let answer = true;
    await using host = await createHost({ config, data: home.data, ask: async () => answer });
    expect([await run(host, 'read'), await run(host, 'read')]).toEqual(['read 1', 'read 1 (cached)']);
    answer = false;
    expect((await host.call({ server: 'any', tool: 'read' })).denied).toBe(true);
  });
});

describe('statistics', () => {
  promise(
    '3.9d',
    'hold calls, errors, p50, p95, bytes and the last use of each tool, across runs and processes',
    async () => {
      await using home = await makeHome();
      const servers = { demo: trusted(testServer()), any: trusted(misbehaving('answers-anything')) };
      const before = Date.now();
      {
        await using host = await createHost({ config: { servers }, data: home.data });
        for (const text of ['four', 'füür', '😀']) await host.call({ server: 'demo', tool: 'echo' }, { text });
        await host.call({ server: 'demo', tool: 'fail' });
        await host.call({ server: 'demo', tool: 'no_such_tool' }).catch(() => {});
        for (const ms of [0, 0, 0, 1500]) await host.call({ server: 'demo', tool: 'slow' }, { ms });
        const rows = await host.statistics();
        expect(rowOf(rows, 'echo')).toMatchObject({
          server: 'demo',
          calls: 3,
          errors: 0,
          cached: 0,
          bytes: 4 + 6 + 4,
          tokens: 3,
        });
        expect(rowOf(rows, 'fail')).toMatchObject({ calls: 1, errors: 1 });
        expect(rowOf(rows, 'no_such_tool')).toBe(undefined);
        const { p50_ms = 0, p95_ms = 0, last_used = '' } = rowOf(rows, 'slow');
        expect([p50_ms < 1200, p95_ms >= 1350]).toEqual([true, true]);
        expect(Date.parse(last_used)).toBeGreaterThanOrEqual(before);
      }
      // Two more runs at the same time: each adds its own.
      const more = async () => {
        await using host = await createHost({ config: { servers }, data: home.data });
        for (let call = 0; call < 5; call++) await host.call({ server: 'demo', tool: 'echo' }, { text: 'more' });
      };
      await Promise.all([more(), more()]);
      await using host = await createHost({ config: { servers }, data: home.data });
      await host.call({ server: 'demo', tool: 'echo' }, { text: 'last' });
      const rows = await host.statistics();
      expect(rowOf(rows, 'echo')).toMatchObject({ calls: 14, bytes: 14 + 40 + 4 });
      expect(rows[0]?.tool).toBe('echo');
    },
  );

  test('are written in the background too, and a damaged file costs only what it held', async () => {
    await using home = await makeHome();
    const file = await home.write('data/statistics.json', '{"version":1,"servers":');
    await using host = await countingHost(home);
    await run(host, 'read');
    const calls = async () => JSON.parse(await readFile(file, 'utf8').catch(() => '{}')).servers?.any?.read?.calls;
    await expect.poll(() => calls().catch(() => 0), { timeout: 20_000 }).toBe(1);
  });

  test('of a host that is to remember nothing are gone with it', async () => {
    await using home = await makeHome();
    {
      await using host = await countingHost(home, {}, { remember: false });
      await run(host, 'read');
      expect(rowOf(await host.statistics(), 'read').calls).toBe(1);
    }
    await expect(readFile(join(home.data, 'statistics.json'))).rejects.toThrow();
  });

  test('count answers from the cache apart', async () => {
    await using home = await makeHome();
    await using host = await countingHost(home, { cache_ttl_ms: 60_000 });
    for (let call = 0; call < 3; call++) await run(host, 'read');
    expect(rowOf(await host.statistics(), 'read')).toMatchObject({ calls: 1, cached: 2 });
  });

  promise('8.14a', 'are shown by junctor stats, with what definitions cost and which tools nobody calls', async () => {
    await using home = await makeHome();
    await home.write('project/junctor.json', { version: 1, servers: { demo: trusted(testServer()) } });
    await junctor(home, ['trust', 'add', 'demo']);
    expect(await junctor(home, ['stats'])).toMatchObject({ code: 0, stdout: 'no tool was called yet\n' });
    for (const text of ['one', 'two'])
      await junctor(home, ['mcp', 'call', 'demo', 'echo', '--args', JSON.stringify({ text })]);
    await junctor(home, ['mcp', 'call', 'demo', 'fail']);
    await junctor(home, ['mcp', 'tools', 'demo']);
    const { stdout, stderr } = await junctor(home, ['stats', 'demo']);
    const [head, first = '', second = '', ...rest] = stdout.trimEnd().split('\n');
    expect(head?.split(/\s{2,}/)).toEqual([
      ...['SERVER', 'TOOL', 'CALLS', 'ERRORS', 'CACHED', 'P50', 'P95', 'BYTES', 'TOKENS', 'DEFINITION', 'LAST USED'],
    ]);
    expect(first).toMatch(/^demo {4}echo {2}2 {6}0 {7}0 .* ms .* 6 {6}2 {7}\d+ {10}20\d\d-\d\d-\d\d \d\d:\d\d$/);
    expect(second).toMatch(/^demo {4}fail {2}1 {6}1 /);
    expect([rest, stderr]).toEqual([
      [],
      expect.stringMatching(/^\d+ more tools were never called; definitions of \d+ tokens/),
    ]);
    const { tools } = JSON.parse((await junctor(home, ['stats', '--json'])).stdout) as { tools: ToolStatistics[] };
    expect(rowOf(tools, 'echo')).toMatchObject({ calls: 2, errors: 0, definition_tokens: expect.any(Number) });
    expect(rowOf(tools, 'slow')).toEqual({
      ...{ server: 'demo', tool: 'slow', calls: 0, errors: 0, cached: 0, bytes: 0, tokens: 0 },
      definition_tokens: expect.any(Number),
    });
    const all = (await junctor(home, ['stats', '--all'])).stdout.split('\n');
    expect(all.find(line => line.includes(' slow '))).toMatch(/ never$/);
    expect((await junctor(home, ['stats', 'dmeo'])).code).toBe(1);
  });

  test('of a running hub are part of junctor stats, and no call counts twice', async () => {
    await using home = await makeHome();
    const config = { version: 1, servers: { demo: trusted(testServer()) } };
    await using hub = await startHub(home, config);
    const file = await home.write('here.json', config);
    const command = (...words: string[]) =>
      junctor(home, [...words, '--config', file, '--isolated', '--data', home.data]);
    const shown = async () => {
      const { stdout } = await command('stats', 'demo', '--json');
      const { tools } = JSON.parse(stdout) as { tools: ToolStatistics[] };
      return tools.filter(({ calls }) => calls > 0);
    };
    const codex = await RawClient.open(hub, '/mcp/codex');
    for (const id of [1, 2]) await codex.call(id, 'demo_echo', { text: 'of an agent' });
    await codex.call(3, 'demo_fail', {});
    const { stdout } = await command('stats');
    expect(stdout).toMatch(/^demo {4}echo {2}2 {6}0 {7}0 .* ms /m);
    // One through the hub, which both have counted, and two that the hub never saw.
    for (const way of [[], ['--direct'], ['--direct']])
      expect((await command('mcp', 'call', 'demo', 'echo', '--args', '{"text":"one"}', ...way)).code).toBe(0);
    expect(await shown()).toMatchObject([
      { server: 'demo', tool: 'echo', calls: 5, errors: 0, tokens: 3, p50_ms: expect.any(Number) },
      { server: 'demo', tool: 'fail', calls: 1, errors: 1 },
    ]);
    expect((await command('stats', 'dmeo')).code).toBe(1);
  });
});
