import {
  lockedBehindSignIn,
  makeHome,
  misbehaving,
  promise,
  serveMisbehaving,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { changingServer } from '../connections/changing.ts';
import { type Listed, listing, tool } from '../tools/listing.ts';
import { call, definitions, hubWith, listed, type SearchingClient } from './hub-clients.ts';
import { described, FROZEN } from './said.ts';

describe('an agent with many tools', () => {
  promise(['3.8g', '9.1e', '9.1f', '7.9c'], 'searches them, and the same rules judge the tool inside', async () => {
    await using home = await makeHome();
    const big = trusted(await listing(home, 'big', described(60, 60_000)));
    const permissions = { deny: ['mcp__big__lookup_8'] };
    await using scene = await hubWith({ big, demo: trusted(testServer()) }, { permissions });
    const client = await scene.open();
    expect(await listed(client)).toEqual(FROZEN);
    const first = await definitions(client);
    const found = await call(client, 'find_tools', { query: 'big_lookup_7', limit: 1 });
    expect(found.text).toContain('big_lookup_7(id: string, limit?: integer)\n  Looks up records of kind 7.');
    const told = await call(client, 'describe_tool', { name: 'big_lookup_7' });
    expect(told.text).toContain('"required":["id"]');
    const run = (name: string, args: object) => call(client, 'call_tool', { name, arguments: args });
    expect(await run('big_lookup_7', { id: 'x' })).toEqual({ text: '["lookup_7",{"id":"x"}]', failed: false });
    expect(await run('big_lookup_8', { id: 'x' })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/denied.*mcp__big__lookup_8/),
    });
    // By the name alone, as every client knows it.
    expect(await call(client, 'big_lookup_9', { id: 'y' })).toEqual({ text: '["lookup_9",{"id":"y"}]', failed: false });
    expect(await run('big_lookup_7', { limit: 3 })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/missing: id.*"required":\["id"\]/s),
    });
    expect((await run('big_lookup_x', {})).text).toContain('There is no tool "big_lookup_x". Did you mean');
    expect(await definitions(client)).toBe(first);
    const { calls } = (await (await scene.hub.fetch('/api/calls')).json()) as { calls: { tool: string }[] };
    expect(new Set(calls.map(one => one.tool))).toEqual(new Set(['lookup_7', 'lookup_8', 'lookup_9']));
  });

  promise('9.1f', 'waits for a person who is asked about the tool inside, and is asked nothing more', async () => {
    const bundles = { all: { serverId: 'demo', mode: 'meta', allowTools: ['echo', 'pid'] } };
    await using scene = await hubWith({ demo: testServer() }, { bundles });
    for (const client of [await scene.open(), scene.modern()]) {
      const calling = call(client, 'call_tool', { name: 'demo_echo', arguments: { text: 'hello' } });
      const waiting = async () =>
        ((await (await scene.hub.fetch('/api/approvals')).json()) as { approvals: Record<string, unknown>[] })
          .approvals;
      await expect.poll(waiting).toHaveLength(1);
      const [approval] = await waiting();
      expect(approval).toMatchObject({ server: 'demo', tool: 'echo' });
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ answer: 'once' });
      await scene.hub.fetch(`/api/approvals/${approval?.id}`, { method: 'POST', headers, body });
      expect(await calling).toEqual({ text: expect.stringMatching(/^\[data .*\nhello\n/s), failed: false });
    }
  });

  promise(
    ['9.1e', '9.1f'],
    'reads on with read_result in what the tool inside answered, cut to its budget',
    async () => {
      const frame = { search: { context_threshold: 0 }, results: { max_output_tokens: 50 } };
      await using scene = await hubWith({ demo: trusted(testServer()) }, frame);
      for (const client of [await scene.open(), scene.modern()]) {
        expect(await listed(client)).toEqual(FROZEN);
        const cut = await call(client, 'call_tool', { name: 'demo_big', arguments: { bytes: 3000 } });
        const [, id = ''] = /kept as (res_\w+)/.exec(cut.text) ?? [];
        expect((await call(client, 'read_result', { id, range: [100, 150] })).text).toMatch(/(?<!x)x{50}(?!x)/);
        expect(await call(client, 'read_result', { id: 'res_gone' })).toMatchObject({ failed: true });
      }
      const other = await scene.open('cursor');
      const { text } = await call(await scene.open(), 'call_tool', { name: 'demo_big', arguments: { bytes: 3000 } });
      const [, id = ''] = /kept as (res_\w+)/.exec(text) ?? [];
      expect(await call(other, 'read_result', { id })).toMatchObject({ failed: true });
    },
  );

  promise('9.11c', 'has the window of its client profile, and without one 200,000', async () => {
    await using home = await makeHome();
    const inAll = async (chars: number) => ({ big: trusted(await listing(home, `big${chars}`, described(60, chars))) });
    const client_profiles = { wide: { context_window: 400_000 }, narrow: { context_window: 100_000 } };
    const agents = { wide: {}, narrow: {}, other: {}, never: { search: { enabled: false } } };
    const searched = async (chars: number, ...names: string[]): Promise<boolean[]> => {
      await using scene = await hubWith(await inAll(chars), { client_profiles, agents });
      const lists = await Promise.all(names.map(async name => listed(await scene.open(name))));
      return lists.map(list => list.includes('find_tools'));
    };
    expect(await searched(24_999, 'narrow')).toEqual([false]);
    expect(await searched(25_000, 'narrow', 'other')).toEqual([true, false]);
    expect(await searched(49_999, 'other')).toEqual([false]);
    expect(await searched(50_000, 'other', 'wide', 'never')).toEqual([true, false, false]);
    expect(await searched(100_000, 'wide', 'never')).toEqual([true, false]);
  });

  promise(['1.9d', '3.8j'], 'searches those of a bundle with mode meta, beside the others, in both eras', async () => {
    await using home = await makeHome();
    const servers = {
      a: trusted(await listing(home, 'a', [tool('one')])),
      b: trusted(await listing(home, 'b', [tool('two')])),
    };
    const bundles = { quiet: { serverId: 'a', mode: 'meta' } };
    await using scene = await hubWith(servers, { bundles });
    for (const client of [await scene.open(), scene.modern()]) {
      expect(await listed(client)).toEqual(['b_two', ...FROZEN]);
      const { text } = await call(client, 'find_tools', { query: 'one' });
      expect(text).toContain('a_one()');
      expect((await call(client, 'call_tool', { name: 'a_one' })).text).toBe('["one",{}]');
    }
  });

  test('is told what its server finds wrong with arguments, with the schema of the tool', async () => {
    await using changing = await changingServer({ tools: [] });
    const vague = tool('gone', { inputSchema: { type: 'object', properties: { a: { type: 'string' } } } });
    await changing.offer({ tools: [vague] });
    // Shared: a process for this client alone would be asked for its own list, at a moment of its own.
    const shared = { ...trusted(changing.definition), mode: 'shared' };
    await using scene = await hubWith({ c: shared }, { search: { context_threshold: 0 } });
    const client = await scene.open();
    expect(await listed(client)).toEqual(FROZEN);
    expect((await call(client, 'call_tool', { name: 'c_gone', arguments: { a: 'b' } })).text).toBe('done');
    // It says -32602 for whatever it does not know.
    await changing.offer({ tools: [] });
    const { text, failed } = await call(client, 'call_tool', { name: 'c_gone', arguments: '{"a":"b"}' });
    expect([failed, text]).toEqual([true, expect.stringMatching(/do not fit: Unknown tool.*"a":\{"type":"string"\}/s)]);
  });
});

describe('a session', () => {
  promise(['3.8h', '3.8i'], 'keeps what it began with, and finds what is new at once', async () => {
    await using changing = await changingServer({ tools: ['one'] });
    const definition = { ...trusted(changing.definition), mode: 'shared' };
    const change = async (client: SearchingClient, tools: readonly Listed[]) => {
      await changing.offer({ tools });
      await call(client, 'c_announce', { list: 'tools' });
    };
    await using scene = await hubWith({ c: definition });
    const small = await scene.open();
    expect(await listed(small)).toContain('c_one');
    await change(small, described(60, 60_000));
    await expect.poll(() => listed(small)).toContain('c_lookup_7');
    // What begins now, begins with many.
    const large = await scene.open();
    expect(await listed(large)).toEqual(FROZEN);
    const before = await definitions(large);
    await change(large, [tool('hippo', { description: 'Feeds the hippopotamus.' })]);
    await expect
      .poll(async () => (await call(large, 'find_tools', { query: 'feed a hippopotamus' })).text)
      .toContain('c_hippo()');
    expect((await call(large, 'call_tool', { name: 'c_hippo' })).text).toBe('done');
    expect(await definitions(large)).toBe(before);
    expect(await listed(small)).toContain('c_hippo');
  });

  promise('7.9e', 'is told of servers that connect, failed or need a login', async () => {
    await using home = await makeHome();
    await using locked = await serveMisbehaving(lockedBehindSignIn);
    const servers = {
      good: trusted(await listing(home, 'good', [tool('one', { description: 'Counts hippos.' })])),
      slow: trusted(await listing(home, 'slow', [tool('two')], 60_000)),
      dead: trusted(misbehaving('dies-early')),
      locked: { transport: 'http', url: locked.url },
    };
    await using scene = await hubWith(servers, { search: { context_threshold: 0 } });
    // Without a greeting, which would wait for them.
    const client = scene.modern();
    const said = async () => (await call(client, 'find_tools', { query: 'hippos' })).text;
    await expect.poll(said, { timeout: 30_000 }).toMatch(/- dead: failed\. /);
    const text = await said();
    expect(text).toContain('good_one()');
    expect(text).toContain('- slow: still connecting');
    expect(text).toMatch(/- locked: needs a login\. .*junctor mcp login locked/);
    expect(text).not.toContain('- good:');
  });
});
