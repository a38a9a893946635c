import { createHost, type Host, type HostOptions, isJunctorError, type McpConfigInput } from '@junctor/core';
import { isRunning, misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const hostWith = (servers: object, options: HostOptions = {}) =>
  createHost({ config: { version: 1, servers } as McpConfigInput, ...options });

/** For servers that come to nothing: trying them again would only take its time. */
const ONCE = { attempts: 1 };

/** The error a promise is rejected with. */
async function failure(
  work: Promise<unknown>,
): Promise<{ code: string; message: string; why?: string; hint?: string }> {
  const error = await work.then(
    () => expect.unreachable('it should have failed'),
    (reason: unknown) => reason,
  );
  if (!isJunctorError(error)) throw error;
  return error as never;
}

/** Tells on stderr what it waits for, and answers nothing. A shell is there at once, also where the machine is busy. */
const MUTE = {
  transport: 'stdio',
  command: 'sh',
  args: ['-c', 'echo waiting for a licence server >&2; exec cat >/dev/null'],
};

/** Greets, pings ten times a second, and never answers a call. */
const PINGS = {
  transport: 'stdio',
  command: process.execPath,
  trust: 'trusted',
  args: [
    '-e',
    `const say = message => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const greeting = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'pings', version: '1' } };
    let pings = 0;
    setInterval(() => say({ id: ++pings, method: 'ping' }), 100);
    require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize') say({ id, result: greeting });
      else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'any', inputSchema: { type: 'object' } }] } });
      else if (method === 'server/discover') say({ id, error: { code: -32601, message: 'unknown' } });
    });`,
  ],
};

describe('a stdio server', () => {
  promise(['2.2a', 'A10c', 'A10d', 'A10f'], 'is started, listed and called', async () => {
    await using host = await hostWith({ demo: trusted(testServer()) });
    const names = (await host.tools()).map(tool => tool.name);
    expect(names).toContain('mcp__demo__echo');
    const { success, output } = await host.call('mcp__demo__echo', { text: 'grüße 🌍' });
    expect({ success, output }).toEqual({ success: true, output: 'grüße 🌍' });
  });

  promise('2.5a', 'is not started before it is used', async () => {
    await using host = await hostWith({ demo: trusted(testServer()), other: trusted(testServer()) });
    expect(host.links.ids.map(id => host.links.state(id).kind)).toEqual(['idle', 'idle']);
    await host.call({ server: 'demo', tool: 'echo' }, { text: 'hi' });
    expect(host.links.ids.map(id => host.links.state(id).kind)).toEqual(['ready', 'idle']);
  });

  promise('2.9a', 'has all pages of its tools collected', async () => {
    await using host = await hostWith({ many: trusted(testServer('--tools', '25', '--page-size', '4')) });
    expect(await host.tools()).toHaveLength(25);
  });

  promise('2.9b', 'with bad tools still offers the good ones', async () => {
    await using host = await hostWith({ bad: trusted(misbehaving('bad-catalogue')) });
    expect((await host.tools()).map(tool => tool.tool)).toEqual(['good', 'no_schema']);
  });

  promise('2.6h', 'that never ends its list is told apart', async () => {
    await using host = await hostWith({ bad: trusted(misbehaving('bad-catalogue', '--endless')) });
    const { code, why } = await failure(host.collect('bad'));
    expect({ code, why }).toEqual({ code: 'malformed_response', why: 'it gave the same cursor twice' });
  });

  promise(['2.6e', '2.6k', '2.6j'], 'that dies while starting shows the end of its stderr', async () => {
    await using host = await hostWith({ dead: trusted(misbehaving('dies-early')) }, ONCE);
    const { code, message, why, hint } = await failure(host.collect('dead'));
    expect({ code, message }).toEqual({
      code: 'connection_failed',
      message: "Server 'dead' exited with code 3 while it was starting.",
    });
    expect(why).toContain('fatal: DATABASE_URL is not set');
    expect(hint).toBe("set DATABASE_URL in env of server 'dead'");
  });

  promise('2.6e', 'whose program does not exist says so', async () => {
    await using host = await hostWith({ gone: { transport: 'stdio', command: 'no-such-program-here' } });
    const { code, why } = await failure(host.collect('gone'));
    expect({ code, why }).toEqual({ code: 'command_not_found', why: expect.stringMatching(/^it is not on PATH: \//) });
  });

  promise('2.6g', 'that never answers times out, with its stderr', async () => {
    await using host = await hostWith({ mute: { ...MUTE, connect_timeout_ms: 1500 } }, ONCE);
    const { code, why } = await failure(host.collect('mute'));
    expect(code).toBe('timeout');
    expect(why).toContain('waiting for a licence server');
  });

  promise(['2.6h', 'A10g'], 'that talks garbage is still understood, and fails only the garbled call', async () => {
    await using host = await hostWith({ noisy: trusted(misbehaving('talks-garbage')) });
    const broken = failure(host.call('mcp__noisy__broken'));
    const good = host.call('mcp__noisy__echo', { text: 'still here' });
    expect((await broken).code).toBe('malformed_response');
    expect((await good).output).toBe('still here');
  });

  promise(['2.7k', '2.7l'], 'that dies in a call fails that call, with its last words; others go on', async () => {
    await using host = await hostWith({ crashing: trusted(misbehaving('dies-in-call')), demo: trusted(testServer()) });
    const slow = host.call('mcp__demo__slow', { ms: 300 });
    const { code, message, why } = await failure(host.call('mcp__crashing__crash'));
    expect({ code, message }).toEqual({ code: 'connection_lost', message: "Server 'crashing' exited with code 134." });
    expect(why).toContain('panic: index out of range');
    expect((await slow).output).toBe('waited 300 ms');
  });

  promise('2.5i', 'that fails leaves the tools of the others', async () => {
    await using host = await hostWith({ dead: misbehaving('dies-early'), demo: testServer() }, ONCE);
    expect(new Set((await host.tools()).map(tool => tool.server))).toEqual(new Set(['demo']));
    expect(host.failures().map(({ server }) => server)).toEqual(['dead']);
  });
});

/** Our own time is moved, not waited for: however slow the machine, only what a test lets pass has passed. */
describe('the time of a tool call', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'hrtime'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  promise('2.8d', 'is kept alive by progress, all of which arrives before its result', async () => {
    await using host = await hostWith({ demo: { ...trusted(testServer()), tool_idle_timeout_ms: 1000 } });
    const seen: number[] = [];
    const onProgress = ({ progress }: { progress: number }): void => {
      seen.push(progress);
      vi.advanceTimersByTime(900);
    };
    const result = await host.call('mcp__demo__slow', { ms: 100 }, { onProgress });
    expect(result.output).toBe('waited 100 ms');
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  promise(
    ['2.6g', '2.8k', '2.8l'],
    'that stays silent too long is cancelled, and its late answer ignored',
    async () => {
      await using host = await hostWith({ demo: { ...trusted(testServer()), tool_idle_timeout_ms: 200 } });
      const slow = failure(host.call('mcp__demo__slow', { ms: 60_000 }));
      await running(host, 1);
      vi.advanceTimersByTime(200);
      expect((await slow).code).toBe('timeout');
      // The server forgets a cancelled call; had it not been told, its answer would come one day and belong to nobody.
      expect((await host.call('mcp__demo__state')).data).toEqual({ running: 0, cancelled: 1 });
      expect((await host.call('mcp__demo__echo', { text: 'next' })).output).toBe('next');
    },
  );

  promise('2.8e', 'has a total that progress does not extend', async () => {
    await using host = await hostWith({ demo: { ...trusted(testServer()), tool_timeout_ms: 1000 } });
    const seen: number[] = [];
    const onProgress = ({ progress }: { progress: number }): void => {
      seen.push(progress);
      vi.advanceTimersByTime(600);
    };
    expect((await failure(host.call('mcp__demo__slow', { ms: 5000 }, { onProgress }))).code).toBe('timeout');
    expect(seen).toEqual([1, 2]);
  });
});

describe('a tool call', () => {
  test('is not kept alive by a server that only asks whether we are there', async () => {
    await using host = await hostWith({ pings: { ...PINGS, tool_idle_timeout_ms: 400, tool_timeout_ms: 20_000 } });
    const { code, message } = await failure(host.call({ server: 'pings', tool: 'any' }));
    // Its time in all would be 20 s.
    expect([code, /within (\d+) ms/.exec(message)?.[1]?.length]).toEqual([
      'timeout',
      expect.toSatisfy(digits => digits < 5),
    ]);
  });

  promise(['2.8k', 'C11.2b'], 'that is cancelled ends at once, and the server is told', async () => {
    await using host = await hostWith({ demo: trusted(testServer()) });
    await host.collect('demo');
    const abort = new AbortController();
    const call = failure(host.call('mcp__demo__slow', { ms: 20_000 }, { signal: abort.signal }));
    await running(host, 1);
    abort.abort();
    expect((await call).code).toBe('cancelled');
    expect((await host.call('mcp__demo__state')).data).toEqual({ running: 0, cancelled: 1 });
  });

  promise('9.11d', 'larger than the limit fails alone; the connection goes on', async () => {
    await using host = await hostWith({ demo: { ...trusted(testServer()), max_message_bytes: 100_000 } });
    const { code, hint } = await failure(host.call('mcp__demo__big', { bytes: 300_000 }));
    expect({ code, hint }).toEqual({
      code: 'message_too_large',
      hint: "ask for less, or raise max_message_bytes of server 'demo'",
    });
    expect((await host.call('mcp__demo__big', { bytes: 90_000 })).output).toHaveLength(90_000);
  });
});

/** Waits until the test server says that so many calls run in it. */
async function running(host: Host, calls: number): Promise<void> {
  for (;;) {
    const { data } = await host.call('mcp__demo__state');
    if ((data as { running: number }).running === calls) return;
  }
}

describe('closing', () => {
  promise(['2.10c', '2.10e'], 'ends a server that ignores SIGTERM, and its child in another session', async () => {
    const host = await hostWith({ stubborn: trusted(misbehaving('stubborn')) });
    const pids = JSON.parse((await host.call('mcp__stubborn__pids')).output) as number[];
    expect(pids.map(isRunning)).toEqual([true, true]);
    await host.close();
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  promise('2.10b', 'happens at the end of a block, also after a throw', async () => {
    let pid = 0;
    const block = async (): Promise<void> => {
      await using host = await hostWith({ demo: trusted(testServer()) });
      pid = Number((await host.call('mcp__demo__pid')).output);
      throw new Error('thrown on purpose');
    };
    await expect(block()).rejects.toThrow('thrown on purpose');
    expect(isRunning(pid)).toBe(false);
  });

  promise('2.10e', 'does not wait for a server that is still starting', async () => {
    const host = await hostWith({ mute: misbehaving('never-answers') });
    const starting = failure(host.collect('mute'));
    await expect.poll(() => host.links.state('mute').kind).toBe('connecting');
    await host.close();
    expect((await starting).code).toBe('cancelled');
  });

  promise('2.10a', 'ends one server and leaves the others', async () => {
    await using host = await hostWith({ one: trusted(testServer()), two: trusted(testServer()) });
    const [one, two] = await Promise.all(
      ['one', 'two'].map(async server => Number((await host.call({ server, tool: 'pid' })).output)),
    );
    await host.links.close('one');
    expect([isRunning(one as number), isRunning(two as number)]).toEqual([false, true]);
    expect(['one', 'two'].map(id => host.links.state(id).kind)).toEqual(['idle', 'ready']);
  });
});

describe('events', () => {
  promise(['2.11c', '2.11e', '2.11i'], 'tell of states and calls', async () => {
    await using host = await hostWith({ demo: trusted(testServer()) });
    const seen: object[] = [];
    host.events.listen(event => {
      if (event.type === 'state-changed')
        seen.push({ type: event.type, server: event.server, state: event.state.kind });
      else seen.push({ ...event, call_id: typeof (event as { call_id?: unknown }).call_id });
    });
    const result = await host.call({ server: 'demo', tool: 'fail' });
    const about = { server: 'demo', tool: 'fail', call_id: 'string' };
    expect(seen).toEqual([
      { type: 'tool-call-begin', ...about },
      { type: 'state-changed', server: 'demo', state: 'connecting' },
      { type: 'state-changed', server: 'demo', state: 'ready' },
      { type: 'tool-call-end', ...about, result, is_error: true },
    ]);
  });

  promise('2.11j', 'have a result of one shape, however a call ended, and tell of no start of what runs', async () => {
    await using host = await hostWith({
      demo: trusted(testServer()),
      missing: { transport: 'stdio', command: 'no-such' },
    });
    const ends: object[] = [];
    const started: string[] = [];
    host.events.on('tool-call-end', ({ result }) => ends.push(result));
    host.events.on('startup-update', ({ server, status }) => started.push(`${server} ${status}`));
    await host.call({ server: 'demo', tool: 'echo' }, { text: 'x' });
    await expect(host.call({ server: 'missing', tool: 'x' })).rejects.toThrow();
    const failed = ends[1] as { error: string };
    expect(ends).toEqual([
      expect.objectContaining({ success: true, output: 'x' }),
      { success: false, output: failed.error, error: failed.error, parts: [{ type: 'text', text: failed.error }] },
    ]);
    await host.start();
    expect(started).toEqual(['missing starting', 'missing failed']);
  });
});
