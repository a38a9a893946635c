import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { createHost, isJunctorError, type JunctorError, type McpConfigInput } from '@junctor/core';
import {
  behindUrl,
  isFree,
  isRunning,
  makeHome,
  processesMarked,
  promise,
  quietPort,
  startedEverything,
  startedServer,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { RawClient } from '../hub/rpc.ts';

const hostWith = (servers: object, options: object = {}) =>
  createHost({ config: { version: 1, servers } as McpConfigInput, ...options });

/** For programs that come to nothing. Others are started again where somebody was faster to take their port. */
const ONCE = { attempts: 1 };

async function failure(work: Promise<unknown>): Promise<JunctorError> {
  const error = await work.then(
    () => expect.unreachable('it should have failed'),
    (reason: unknown) => reason,
  );
  if (!isJunctorError(error)) throw error;
  return error;
}

/** Never listens. A shell has printed its line at once, also where the machine is busy. */
const DEAF = {
  transport: 'http',
  url: 'http://127.0.0.1:${PORT}/mcp',
  command: 'sh',
  args: ['-c', 'echo loading the model; exec sleep 1000'],
};

interface Place {
  readonly PORT: string;
  readonly args: string[];
}

describe('a server that Junctor starts behind a URL', () => {
  promise('1.2l', 'is started on a free port, waited for, listed and called, and ended with the host', async () => {
    const host = await hostWith({ own: trusted(startedServer()) });
    expect((await host.tools()).map(({ tool }) => tool)).toContain('echo');
    expect((await host.call({ server: 'own', tool: 'echo' }, { text: 'hi' })).output).toBe('hi');
    const pid = Number((await host.call({ server: 'own', tool: 'pid' })).output);
    expect(isRunning(pid)).toBe(true);
    await host.close();
    expect(isRunning(pid)).toBe(false);
  });

  promise('1.2l', 'may be a published one that reads its port from PORT', async () => {
    await using host = await hostWith({ all: trusted(startedEverything()) });
    expect((await host.call({ server: 'all', tool: 'get-sum' }, { a: 40, b: 2 })).output).toContain('42');
  });

  test.each(['sse', 'ws'] as const)('may speak %s', async transport => {
    await using host = await hostWith({ own: trusted(startedServer(transport)) });
    expect((await host.call({ server: 'own', tool: 'echo' }, { text: transport })).output).toBe(transport);
  });

  promise(['5.4f'], 'is used only once it answers', async () => {
    await using host = await hostWith({ late: trusted(behindUrl('--late')) });
    const states: string[] = [];
    host.events.on('state-changed', ({ state }) => states.push(state.kind));
    expect((await host.call({ server: 'late', tool: 'pids' })).success).toBe(true);
    expect(states).toEqual(['connecting', 'ready']);
  });

  promise(['5.4g'], 'that never answers fails with what it printed, and is ended', async () => {
    const env = { LC_DEAF_TEST: randomUUID() };
    await using host = await hostWith({ deaf: { ...DEAF, env, connect_timeout_ms: 1500 } }, ONCE);
    const { code, message, why, hint } = await failure(host.collect('deaf'));
    expect({ code, message, why, hint }).toEqual({
      code: 'timeout',
      message: expect.stringMatching(
        /^The program of server 'deaf' runs, but nothing answers at http:\/\/127\.0\.0\.1:\d+\.$/,
      ),
      why: 'it was waited for 1500 ms; the last lines it printed:\nloading the model',
      hint: "check that it listens on the port of its url, or raise connect_timeout_ms of server 'deaf'",
    });
    expect(processesMarked(env.LC_DEAF_TEST)).toEqual([]);
  });

  test('that dies while starting shows what it printed on both streams', async () => {
    await using host = await hostWith({ dead: behindUrl('--dies') }, ONCE);
    const { code, message, why } = await failure(host.collect('dead'));
    expect(code).toBe('connection_failed');
    expect(message).toMatch(
      /^The program of server 'dead' exited with code 5 before it answered at http:\/\/127\.0\.0\.1:\d+\.$/,
    );
    expect(why).toBe('the last lines it printed:\nloading the model\nfatal: the model file is damaged');
  });

  test('whose program is missing says so', async () => {
    await using host = await hostWith({ gone: { ...startedServer(), command: 'no-such-program' } }, ONCE);
    expect((await failure(host.collect('gone'))).code).toBe('command_not_found');
  });

  test('that dies in a call fails it with its last words, is lost, and comes back elsewhere', async () => {
    await using host = await hostWith({ own: trusted(behindUrl()), other: trusted(testServer()) });
    const place = async () => JSON.parse((await host.call({ server: 'own', tool: 'port' })).output) as Place;
    const [before] = await Promise.all([place(), host.collect('other')]);
    const states: string[] = [];
    host.events.on('state-changed', ({ server, state }) => states.push(`${server} ${state.kind}`));
    const slow = host.call({ server: 'other', tool: 'slow' }, { ms: 500 });
    const { code, message, why } = await failure(host.call({ server: 'own', tool: 'crash' }));
    expect({ code, message, why }).toEqual({
      code: 'connection_lost',
      message: "The program of server 'own' exited with code 7.",
      why: 'the last lines it printed:\nloading the model\npanic: out of memory',
    });
    await expect.poll(() => states).toEqual(['own error', 'own connecting', 'own ready']);
    expect((await place()).PORT).not.toBe(before.PORT);
    expect((await slow).output).toBe('waited 500 ms');
  });

  test('gets each start its own port in url, args and env', async () => {
    const definition = trusted(behindUrl('--port=${PORT}', '--twice=${PORT}${PORT}'));
    await using host = await hostWith(
      { one: definition, two: definition },
      { surroundings: { ...own(), env: { ...own().env, PORT: '9' } } },
    );
    const places = await Promise.all(
      ['one', 'two'].map(async server => JSON.parse((await host.call({ server, tool: 'port' })).output) as Place),
    );
    for (const { PORT, args } of places) expect(args).toEqual([`--port=${PORT}`, `--twice=${PORT}${PORT}`]);
    expect(new Set([...places.map(({ PORT }) => PORT), '9']).size).toBe(3);
  });

  test('keeps the port its own env names, also when it comes back', async () => {
    const port = await quietPort();
    const definition = { ...trusted(behindUrl('--port=${PORT}')), env: { PORT: String(port) } };
    await using host = await hostWith({ fixed: definition });
    const place = async () => JSON.parse((await host.call({ server: 'fixed', tool: 'port' })).output) as Place;
    expect(await place()).toEqual({ PORT: String(port), args: [`--port=${port}`] });
    const ready = new Promise<void>(resolve => {
      host.events.on('state-changed', ({ state }) => {
        if (state.kind === 'ready') resolve();
      });
    });
    await failure(host.call({ server: 'fixed', tool: 'crash' }));
    await ready;
    expect(await place()).toMatchObject({ PORT: String(port) });
  });

  test('is not taken for a stranger that listens at its address already', async () => {
    const heard: string[] = [];
    const stranger = createServer(socket => {
      socket.on('error', () => {});
      socket.on('data', data => heard.push(String(data)));
    });
    await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as { port: number };
    try {
      const definition = { ...behindUrl(), url: `http://127.0.0.1:${port}/mcp`, env: { PORT: String(port) } };
      await using host = await hostWith({ own: definition }, ONCE);
      const { code, message } = await failure(host.collect('own'));
      expect({ code, message }).toEqual({
        code: 'port_in_use',
        message: `Server 'own' cannot be started: another program listens at 127.0.0.1:${port}.`,
      });
      expect(heard).toEqual([]);
    } finally {
      await new Promise(resolve => stranger.close(resolve));
    }
  });

  promise(
    ['2.10c', '2.10e'],
    'is ended though it ignores SIGTERM, with its child in another session; its port is free',
    async () => {
      const host = await hostWith({ own: trusted(behindUrl('--stubborn')) });
      const pids = JSON.parse((await host.call({ server: 'own', tool: 'pids' })).output) as number[];
      const { PORT } = JSON.parse((await host.call({ server: 'own', tool: 'port' })).output) as Place;
      expect(pids.map(isRunning)).toEqual([true, true]);
      await host.close();
      expect(pids.map(isRunning)).toEqual([false, false]);
      expect(await isFree(Number(PORT))).toBe(true);
    },
  );

  promise('5.4d', 'is started once, however many sessions of the hub share it', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { own: trusted(startedServer()) } });
    const pids = await Promise.all(
      ['/mcp/codex', '/mcp/codex', '/mcp/cursor', '/servers/own/mcp'].map(async door => {
        const client = await RawClient.open(hub, door);
        const [answer] = await client.call(1, door.startsWith('/servers') ? 'pid' : 'own_pid', {});
        return (answer?.result as { content: { text: string }[] } | undefined)?.content[0]?.text;
      }),
    );
    expect(pids[0]).toMatch(/^\d+$/);
    expect(new Set(pids).size).toBe(1);
  });

  test('that is still starting is given up when the host is closed', async () => {
    const host = await hostWith({ deaf: behindUrl('--deaf') }, ONCE);
    const starting = failure(host.collect('deaf'));
    await expect.poll(() => host.links.state('deaf').kind).toBe('connecting');
    await host.close();
    expect((await starting).code).toBe('cancelled');
  });
});

function own() {
  return { env: process.env, cwd: process.cwd(), home: '/tmp', platform: process.platform };
}
