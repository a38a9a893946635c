import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isRunning,
  makeHome,
  misbehaving,
  processesMarked,
  promise,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { RawClient } from './rpc.ts';

/** One process for all sessions. */
const shared = (definition: object) => ({ ...trusted(definition), mode: 'shared' });

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

describe('one process behind two sessions', () => {
  promise(['7.2a', '5.4a'], 'answers each its own, though both use the same ids', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: shared(testServer()) } });
    const [one, two] = await Promise.all([RawClient.open(hub, '/mcp/codex'), RawClient.open(hub, '/mcp/cursor')]);
    const ask = (client: RawClient, name: string) =>
      Promise.all([1, 'two', 3.5].map(id => client.call(id, 'demo_echo', { text: `${name}-${id}` })));
    const [first, second] = await Promise.all([ask(one, 'one'), ask(two, 'two')]);
    const expected = (name: string) =>
      [1, 'two', 3.5].map(id => [{ jsonrpc: '2.0', id, result: text(`${name}-${id}`) }]);
    expect([first, second]).toEqual([expected('one'), expected('two')]);
    const pids = await Promise.all([one, two].map(client => client.call(9, 'demo_pid', {})));
    expect(pids[0]).toEqual(pids[1]);
  });

  promise(['7.2b', '2.8i'], 'sends progress to the session that asked for it, under its own token', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: shared(testServer()) } });
    const [one, two, quiet] = await Promise.all(
      ['codex', 'cursor', 'zed'].map(agent => RawClient.open(hub, `/mcp/${agent}`)),
    );
    const slow = (client: RawClient | undefined, ms: number, meta?: object) =>
      client?.call(1, 'demo_slow', { ms }, meta);
    const [first, second, third] = await Promise.all([
      slow(one, 100, { progressToken: 'same' }),
      slow(two, 150, { progressToken: 'same' }),
      slow(quiet, 100),
    ]);
    const tokens = (messages: typeof first) =>
      messages?.slice(0, -1).map(({ params }) => (params as { progressToken: unknown }).progressToken);
    expect([tokens(first), tokens(second)]).toEqual([Array(10).fill('same'), Array(10).fill('same')]);
    expect([first?.at(-1)?.result, second?.at(-1)?.result]).toEqual([text('waited 100 ms'), text('waited 150 ms')]);
    expect(third).toEqual([{ jsonrpc: '2.0', id: 1, result: text('waited 100 ms') }]);
  });

  promise('7.2c', 'cancels the call of the session that says so, and no other', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: shared(testServer()) } });
    const [one, two] = await Promise.all([RawClient.open(hub, '/mcp/codex'), RawClient.open(hub, '/mcp/cursor')]);
    const cancelled = one.post({
      id: 1,
      method: 'tools/call',
      params: { name: 'demo_slow', arguments: { ms: 20_000 } },
    });
    await expect
      .poll(async () => (await two.call(2, 'demo_state', {}))[0]?.result)
      .toMatchObject({
        structuredContent: { running: 1 },
      });
    const kept = two.call(1, 'demo_slow', { ms: 800 });
    await one.post({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'changed my mind' } });
    expect(await (await cancelled).text()).toBe('');
    expect(await kept).toEqual([{ jsonrpc: '2.0', id: 1, result: text('waited 800 ms') }]);
    expect((await two.call(2, 'demo_state', {}))[0]?.result).toMatchObject({
      structuredContent: { running: 0, cancelled: 1 },
    });
  });
});

describe('a result', () => {
  promise('9.11e', 'of 100 MB passes unaltered, in bounded memory', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: trusted(testServer()) } });
    const client = await RawClient.open(hub, '/servers/demo/mcp');
    const bytes = 100_000_000;
    const response = await client.post({ id: 1, method: 'tools/call', params: { name: 'big', arguments: { bytes } } });
    const body = await response.arrayBuffer();
    const answer = Buffer.from(body).toString('latin1');
    expect(answer.length).toBe(
      bytes + '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":""}]}}'.length,
    );
    const peakKiB = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${hub.pid}/status`, 'utf8'))?.[1]);
    expect(peakKiB * 1024).toBeLessThan(4 * bytes + 100 * 1024 * 1024);
  });

  promise(
    ['9.7c', '9.7d'],
    'passes byte for byte at both doors, under the id of its request and no other',
    async () => {
      await using home = await makeHome();
      const servers = { precise: trusted(misbehaving('precise')), demo: trusted(testServer()) };
      await using hub = await startHub(home, { version: 1, servers });
      const exact = '{"content":[],"structuredContent":{"big":12345678901234567890,"one":1.0}}';
      const agent = await RawClient.open(hub, '/mcp/codex');
      const text = async (client: RawClient, name: string) =>
        (
          await client.post({ id: 'mine', method: 'tools/call', params: { name, arguments: { bytes: 1_000_000 } } })
        ).text();
      expect(await text(agent, 'precise_exact')).toBe(`{"jsonrpc":"2.0","id":"mine","result":${exact}}`);
      expect(await text(await RawClient.open(hub, '/servers/precise/mcp'), 'exact')).toBe(
        `{"jsonrpc":"2.0","id":"mine","result":${exact}}`,
      );
      expect((await text(agent, 'demo_big')).length).toBe(
        1_000_000 + '{"jsonrpc":"2.0","id":"mine","result":{"content":[{"type":"text","text":""}]}}'.length,
      );
      const imitated = await text(agent, 'precise_imitate');
      expect([imitated.includes('999'), JSON.parse(imitated).id]).toEqual([false, 'mine']);
    },
  );

  promise(['3.4o', '5.6d', '8.23e'], 'of a call that is not allowed is a tool error, at both doors', async () => {
    await using home = await makeHome();
    const servers = { demo: testServer(), open: trusted(testServer()) };
    const permissions = { deny: ['mcp__open__pid'] };
    await using hub = await startHub(home, { version: 1, servers, permissions }, ['--approval-wait', '1']);
    const agent = await RawClient.open(hub, '/mcp/codex');
    const server = await RawClient.open(hub, '/servers/open/mcp');
    const results = await Promise.all([
      agent.call(1, 'demo_echo', { text: 'x' }),
      agent.call(2, 'open_pid', {}),
      server.call(3, 'pid', {}),
      server.call(4, 'echo', { text: 'fine' }),
    ]);
    expect(results.map(([answer]) => answer?.result)).toEqual([
      { ...text('demo/echo needs approval, and nobody answered within 1 s. (approval_required)'), isError: true },
      { ...text('open/pid was denied: the rule deny mcp__open__pid. (permission_denied)'), isError: true },
      { ...text('open/pid was denied: the rule deny mcp__open__pid. (permission_denied)'), isError: true },
      text('fine'),
    ]);
  });

  promise(
    ['2.7k', '2.7l'],
    'of a server that dies says so, and the server is there again for the next call',
    async () => {
      await using home = await makeHome();
      await using hub = await startHub(home, {
        version: 1,
        servers: { crashing: trusted(misbehaving('dies-in-call')), demo: trusted(testServer()) },
      });
      const client = await RawClient.open(hub, '/mcp/codex');
      const [crashed, fine] = await Promise.all([
        client.call(1, 'crashing_crash', {}),
        client.call(2, 'demo_echo', { text: 'fine' }),
      ]);
      expect(crashed[0]?.result).toMatchObject({ isError: true });
      expect(JSON.stringify(crashed[0]?.result)).toContain('panic: index out of range');
      expect(fine[0]?.result).toEqual(text('fine'));
      const again = await client.call(3, 'crashing_crash', {});
      expect(JSON.stringify(again[0]?.result)).toContain('panic: index out of range');
    },
  );
});

describe('what the config leaves out', () => {
  promise(['5.6c', '8.23e'], 'is neither listed nor callable, at both doors', async () => {
    await using home = await makeHome();
    const servers = { demo: { ...trusted(testServer()), tools: { deny: ['pid', 'state'] } } };
    await using hub = await startHub(home, { version: 1, servers });
    const agent = await RawClient.open(hub, '/mcp/codex');
    const server = await RawClient.open(hub, '/servers/demo/mcp');
    const names = async (client: RawClient) => {
      const [{ result }] = (await client.messages({ id: 'list', method: 'tools/list' })) as [
        { result: { tools: { name: string }[] } },
      ];
      return result.tools.map(({ name }) => name);
    };
    const [offered, raw] = [await names(agent), await names(server)];
    expect(raw).toContain('echo');
    expect(raw.filter(name => ['pid', 'state'].includes(name))).toEqual([]);
    expect(offered.toSorted()).toEqual(raw.map(name => `demo_${name}`).toSorted());
    const answers = [...(await agent.call(1, 'demo_pid', {})), ...(await server.call(1, 'pid', {}))];
    expect(answers.map(({ error }) => (error as { code: number }).code)).toEqual([-32602, -32602]);
  });
});

describe('a client', () => {
  promise('7.2c', 'can cancel a call before its server has even started', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { late: trusted(testServer('--delay', '800')) } });
    const client = await RawClient.open(hub, '/servers/late/mcp').catch(() => RawClient.open(hub, '/mcp/codex'));
    const agent = await RawClient.open(hub, '/mcp/codex');
    const early = agent.post({ id: 7, method: 'tools/call', params: { name: 'late_slow', arguments: { ms: 5000 } } });
    await sleep(100);
    await agent.post({ method: 'notifications/cancelled', params: { requestId: 7 } });
    expect(await (await early).text()).toBe('');
    expect((await client.call(1, 'state', {}))[0]?.result).toMatchObject({ structuredContent: { running: 0 } });
  });
});

describe('kill -9', () => {
  promise('2.10d', 'of the hub in the middle of calls leaves no process behind', async () => {
    await using home = await makeHome();
    const mark = 'LC_HUB_UNDER_TEST=killed-hub';
    home.env.LC_HUB_UNDER_TEST = 'killed-hub';
    await using hub = await startHub(home, {
      version: 1,
      servers: { demo: trusted(testServer()), stubborn: trusted(misbehaving('stubborn')) },
    });
    const client = await RawClient.open(hub, '/mcp/codex');
    const [answer] = await client.call(1, 'stubborn_pids', {});
    const said = answer?.result as ReturnType<typeof text> | undefined;
    const pids = JSON.parse(said?.content[0]?.text ?? '[]') as number[];
    const inFlight = client.call(2, 'demo_slow', { ms: 20_000 }).catch(() => 'cut off');
    await expect.poll(() => processesMarked(mark).length).toBeGreaterThanOrEqual(4);
    hub.process.kill('SIGKILL');
    expect(await inFlight).toBe('cut off');
    await expect.poll(() => processesMarked(mark)).toEqual([]);
    expect(pids.map(isRunning)).toEqual([false, false]);
  });
});
