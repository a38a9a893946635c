import { createHost } from '@junctor/core';
import { junctor, makeHome, misbehaving, promise, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { announce, changingServer, movableClock, shown, toolsOf } from './changing.ts';

const FIVE_MINUTES = 5 * 60_000;

describe('a list of tools', () => {
  promise('2.9d', 'is asked for once in five minutes, or as often as toolsTtlMs says', async () => {
    for (const [options, ttlMs] of [
      [{}, FIVE_MINUTES],
      [{ toolsTtlMs: 1000 }, 1000],
    ] as const) {
      await using server = await changingServer();
      const clock = movableClock();
      await using host = await server.host({ ...options, clock });
      expect(await toolsOf(host)).toEqual(['one']);
      const pages = await server.asked('tools/list');
      await server.offer({ tools: ['one', 'two'] });
      clock.pass(ttlMs - 1);
      expect(await toolsOf(host)).toEqual(['one']);
      expect(await server.asked('tools/list')).toBe(pages);
      clock.pass(1);
      expect(await toolsOf(host)).toEqual(['one', 'two']);
    }
  });

  test('is asked for again after the clock was put back: nobody knows how old it is', async () => {
    await using server = await changingServer();
    const clock = movableClock();
    await using host = await server.host({ clock });
    expect(await toolsOf(host)).toEqual(['one']);
    await server.offer({ tools: ['one', 'two'] });
    clock.pass(-365 * 24 * 60 * 60_000);
    expect(await toolsOf(host)).toEqual(['one', 'two']);
  });

  test('is asked for sooner where its server says that it grows old sooner, and never later', async () => {
    for (const [hintMs, ttlMs] of [
      [1000, 1000],
      [FIVE_MINUTES * 10, FIVE_MINUTES],
      // Said by servers that have nothing to say.
      [0, FIVE_MINUTES],
    ] as const) {
      await using server = await changingServer({ tools: ['one'], ttlMs: hintMs });
      const clock = movableClock();
      await using host = await server.host({ clock });
      expect(await toolsOf(host)).toEqual(['one']);
      await server.offer({ tools: ['two'], ttlMs: hintMs });
      clock.pass(ttlMs - 1);
      expect(await toolsOf(host)).toEqual(['one']);
      clock.pass(1);
      expect(await toolsOf(host)).toEqual(['two']);
    }
  });

  promise(
    '2.9f',
    'is asked for each time where the cache is off, and kept where announcements do not count',
    async () => {
      await using server = await changingServer();
      await using uncached = await server.host({ toolsTtlMs: 0 });
      expect(await toolsOf(uncached)).toEqual(['one']);
      await server.offer({ tools: ['two'] });
      expect(await toolsOf(uncached)).toEqual(['two']);
      const { number, stale } = await uncached.snapshot();
      expect({ number, stale: stale.size }).toEqual({ number: 2, stale: 0 });

      await using steady = await server.host({ dropOnListChanged: false });
      const told: string[] = [];
      steady.events.on('list-changed', ({ list }) => told.push(list));
      expect([await toolsOf(steady), (await steady.resources()).length]).toEqual([['two'], 0]);
      await server.offer({ tools: ['three'], resources: ['mem://a'] });
      await announce(steady, 'tools');
      await announce(steady, 'resources');
      expect([await toolsOf(steady), (await steady.resources()).length]).toEqual([['two'], 0]);
      expect(told).toEqual(['tools', 'resources']);
    },
  );

  promise(['2.9e', '2.11f'], 'is dropped when its server says so: each list by itself', async () => {
    await using server = await changingServer({ tools: ['t1'], resources: ['mem://r1'], prompts: ['p1'] });
    await using host = await server.host();
    const all = async () => [
      await toolsOf(host),
      (await host.resources('c')).map(({ definition }) => definition.uri),
      (await host.prompts('c')).map(({ definition }) => definition.name),
    ];
    const before = [['t1'], ['mem://r1'], ['p1']];
    const after = [['t2'], ['mem://r2'], ['p2']];
    expect(await all()).toEqual(before);
    await server.offer({ tools: ['t2'], resources: ['mem://r2'], prompts: ['p2'] });
    const told: object[] = [];
    host.events.on('list-changed', ({ server: from, list }) => told.push({ from, list }));
    expect(await all()).toEqual(before);
    for (const [index, list] of ['tools', 'resources', 'prompts'].entries()) {
      await announce(host, list);
      expect(await all()).toEqual([...after.slice(0, index + 1), ...before.slice(index + 1)]);
    }
    expect(told).toEqual(['tools', 'resources', 'prompts'].map(list => ({ from: 'c', list })));
  });

  promise('2.9n', 'counts as long as the config says, announced changes or not', async () => {
    await using server = await changingServer();
    const clock = movableClock();
    const config = {
      servers: { c: trusted(server.definition) },
      catalogue: { ttl_ms: 1000, drop_on_list_changed: false },
    };
    await using host = await createHost({ config, clock });
    expect(await toolsOf(host)).toEqual(['one']);
    await server.offer({ tools: ['two'] });
    await announce(host, 'tools');
    clock.pass(999);
    expect(await toolsOf(host)).toEqual(['one']);
    clock.pass(1);
    expect(await toolsOf(host)).toEqual(['two']);
  });

  promise('2.9g', 'is dropped by invalidate for one server, by invalidateAll for all', async () => {
    await using one = await changingServer({ tools: ['a1'], prompts: ['p1'] });
    await using two = await changingServer({ tools: ['b1'] });
    await using host = await createHost({ config: { servers: { one: one.definition, two: two.definition } } });
    const all = async () => [
      ...shown(await host.tools()),
      ...(await host.prompts()).map(({ definition }) => definition.name),
    ];
    expect(await all()).toEqual(['a1', 'b1', 'p1']);
    await one.offer({ tools: ['a2'], prompts: ['p2'] });
    await two.offer({ tools: ['b2'] });
    expect(await all()).toEqual(['a1', 'b1', 'p1']);
    host.invalidate('one');
    expect(await all()).toEqual(['a2', 'b1', 'p2']);
    await one.offer({ tools: ['a3'] });
    host.invalidateAll();
    expect(await all()).toEqual(['a3', 'b2']);
  });

  test('that is old is still shown, marked, where its server cannot be reached; a new connection brings a new one', async () => {
    await using server = await changingServer();
    const clock = movableClock();
    await using host = await server.host({ clock });
    const listedAt = clock.now();
    expect(await toolsOf(host)).toEqual(['one']);
    await server.down(true);
    await host.call({ server: 'c', tool: 'crash' }).catch(() => {});
    clock.pass(FIVE_MINUTES);
    const old = await host.snapshot();
    expect([shown(old.entries), [...old.stale]]).toEqual([['one'], [['c', new Date(listedAt)]]]);
    expect(host.failures().map(({ server: id }) => id)).toEqual(['c']);
    await server.down(false);
    await server.offer({ tools: ['two'] });
    await host.links.reconnect('c');
    const fresh = await host.snapshot();
    expect([shown(fresh.entries), fresh.stale.size]).toEqual([['two'], 0]);
  });

  test('costs a few requests however often its server announces a change', async () => {
    await using server = await changingServer();
    await using host = await server.host();
    await toolsOf(host);
    const pagesOfOne = await server.asked('tools/list');
    const looking: Promise<unknown>[] = [];
    let told = 0;
    host.events.on('list-changed', () => {
      told++;
      looking.push(host.snapshot());
    });
    await server.offer({ tools: ['two'] });
    await announce(host, 'tools', 10_000);
    await Promise.all(looking);
    expect(await toolsOf(host)).toEqual(['two']);
    expect(told).toBeLessThan(20);
    expect((await server.asked('tools/list')) / pagesOfOne).toBeLessThan(20);
  });
});

describe('a run', () => {
  promise(['2.9h', '2.9i'], 'keeps the snapshot it began with; the next one has the next', async () => {
    await using server = await changingServer({ tools: ['old'] });
    await using host = await server.host();
    const run = await host.snapshot();
    expect(await host.snapshot()).toBe(run);
    await server.offer({ tools: ['new'] });
    await announce(host, 'tools');
    const next = await host.snapshot();
    expect([shown(run.entries), run.byName.has('mcp__c__old')]).toEqual([['old'], true]);
    expect([shown(next.entries), next.number]).toEqual([['new'], run.number + 1]);
    // What the run holds can still be called; whether it is still there is for the server to say.
    const pid = run.byName.get('mcp__c__pid');
    expect((await host.call(pid as never)).success).toBe(true);
    await expect(host.call(run.byName.get('mcp__c__old') as never)).rejects.toMatchObject({ code: 'tool_not_found' });
    expect((await host.call('mcp__c__new')).success).toBe(true);
  });

  promise('C11.3b', 'sees what changed during the one before it', async () => {
    await using server = await changingServer({ tools: ['a'], resources: ['mem://a'], prompts: ['a'] });
    await using host = await server.host();
    const catalogue = async () => [await toolsOf(host), (await host.resources()).length, (await host.prompts()).length];
    expect(await catalogue()).toEqual([['a'], 1, 1]);
    await server.offer({ tools: ['a', 'b'], resources: ['mem://a', 'mem://b'], prompts: ['a', 'b'] });
    for (const list of ['tools', 'resources', 'prompts']) await announce(host, list);
    expect(await catalogue()).toEqual([['a', 'b'], 2, 2]);
  });
});

describe('a tool that cannot be used', () => {
  promise('2.9c', 'is counted, and the count is shown with the reasons', async () => {
    await using host = await createHost({ config: { servers: { bad: trusted(misbehaving('bad-catalogue')) } } });
    const skipped = [
      { server: 'bad', name: '(unnamed)', because: 'it is not an object' },
      { server: 'bad', name: '(unnamed)', because: 'it has no name' },
      { server: 'bad', name: 'good', because: 'another tool of this server has the same name' },
    ];
    expect((await host.snapshot()).skipped).toEqual(skipped);

    await using home = await makeHome();
    const file = await home.write('junctor.json', { servers: { bad: misbehaving('bad-catalogue') } });
    // From the server, and from what was remembered of it.
    for (let run = 0; run < 2; run++) {
      const { stdout, stderr } = await junctor(home, ['mcp', 'tools', '--config', file, '--json']);
      expect(JSON.parse(stdout).skipped).toEqual(skipped);
      expect(stderr).toContain(
        [
          "warning: 3 tools of MCP server 'bad' cannot be used:",
          '  (unnamed): it is not an object',
          '  (unnamed): it has no name',
          '  good: another tool of this server has the same name',
        ].join('\n'),
      );
    }
  });
});
