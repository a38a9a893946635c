import { signIn } from '@junctor/core';
import {
  type Home,
  isRunning,
  JUNCTOR,
  junctor,
  makeHome,
  promise,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { obligingClient, textOf } from '../command-line/sdk-client.ts';
import { browser, guardedServer } from '../sign-in/guarded.ts';
import { post, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const OWN = { version: 1, servers: { own: { ...trusted(testServer()), mode: 'per_session' } } };

async function tokenFor(home: Home, ...words: string[]): Promise<string> {
  return (await junctor(home, ['hub', 'token', '--data', home.data, ...words])).stdout.trim();
}

/** The process behind a tool, as a client with this token finds it. */
async function openWith(hub: RunningHub, token: string) {
  const client = await RawClient.open({ fetch: (path, init) => hub.fetch(path, { ...init, token }) }, '/mcp/codex');
  const pid = async (): Promise<string> => {
    const [answer] = await client.call(1, 'own_pid', {});
    return textOf(answer?.result ?? {});
  };
  return { pid, session: client.session };
}

async function pidOverPipe(home: Home, token: string): Promise<[string, string]> {
  const client = obligingClient('legacy');
  const args = [JUNCTOR, 'connect', 'codex', '--data', home.data];
  const env = { ...home.env, JUNCTOR_TOKEN: token };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: home.project }));
  const ask = async (): Promise<string> => textOf(await client.callTool({ name: 'own_pid', arguments: {} }));
  const pids: [string, string] = [await ask(), await ask()];
  await client.close();
  return pids;
}

describe('a session', () => {
  promise('5.4h', 'is that of the token made for one run, else the MCP-Session-Id, else the connection', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, OWN);
    const run = await tokenFor(home, '--agent', 'codex', '--session', 'run-1');
    const otherRun = await tokenFor(home, '--agent', 'codex', '--session', 'run-2');
    const [one, two] = [await openWith(hub, run), await openWith(hub, run)];
    expect(one.session).not.toBe(two.session);
    const ofRun = await one.pid();
    // Whatever it comes with: another MCP-Session-Id, a connection of its own, and after those are over.
    expect(await two.pid()).toBe(ofRun);
    expect(await pidOverPipe(home, run)).toEqual([ofRun, ofRun]);
    expect(await (await openWith(hub, run)).pid()).toBe(ofRun);
    expect(await (await openWith(hub, otherRun)).pid()).not.toBe(ofRun);
    // Without a run it is the id that the client was given.
    const agent = await tokenFor(home, '--agent', 'codex');
    const [three, four] = [await openWith(hub, agent), await openWith(hub, agent)];
    const [ofThree, ofFour] = [await three.pid(), await four.pid()];
    expect(new Set([ofRun, ofThree, ofFour]).size).toBe(3);
    expect([await three.pid(), await four.pid()]).toEqual([ofThree, ofFour]);
    // And where there is none, the connection.
    const [first, second] = [await pidOverPipe(home, agent), await pidOverPipe(home, agent)];
    expect([first[0] === first[1], second[0] === second[1], first[0] === second[0]]).toEqual([true, true, false]);
  });

  test('of a run leaves its process behind for a while, and no longer', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, OWN, ['--instance-idle', '1']);
    const run = await tokenFor(home, '--agent', 'codex', '--session', 'run-1');
    const [pid] = await pidOverPipe(home, run);
    expect(Number(pid)).toBeGreaterThan(0);
    await expect.poll(() => isRunning(Number(pid))).toBe(false);
    // The door is open all the same.
    expect(await (await openWith(hub, run)).pid()).not.toBe(pid);
  });

  promise('7.2i', 'shares an instance only with one of equal config and equal credentials', async () => {
    await using home = await makeHome();
    const shared = { ...trusted(testServer()), mode: 'shared' };
    await using hub = await startHub(home, { version: 1, servers: { own: shared } });
    const { transport: type, ...definition } = shared;
    const withEnv = (value: string) => ({
      enabled: true,
      servers: { own: { ...definition, type, env: { WHO: value } } },
      meta: {},
    });
    for (const [agent, value] of [
      ['cursor', 'one'],
      ['gemini', 'two'],
    ] as const)
      expect((await post(hub, agent, withEnv(value))).status).toBe(200);
    const pidOf = async (agent: string): Promise<string> => {
      const client = await RawClient.open(hub, `/mcp/${agent}`);
      const [answer] = await client.call(1, 'own_pid', {});
      return textOf(answer?.result ?? {});
    };
    const [codex, other, cursor, gemini] = [
      await pidOf('codex'),
      await pidOf('opencode'),
      await pidOf('cursor'),
      await pidOf('gemini'),
    ];
    // Nothing differs: one process for both. Another value of a variable: another process.
    expect([codex === other, new Set([codex, cursor, gemini]).size]).toEqual([true, 3]);
    const instances = (await rest(hub, '/api/instances?server=own')).body.instances as { sessions: object[] }[];
    expect(instances.map(({ sessions }) => sessions.length).sort()).toEqual([1, 1, 2]);
  });

  promise('7.2i', 'of another account has an instance of its own', async () => {
    await using guarded = await guardedServer();
    const { authority, home } = guarded;
    const host = await guarded.host();
    await signIn(host, 'guarded', browser(authority, { account: 'ada' }));
    await signIn(host, 'guarded', { ...browser(authority, { account: 'ben' }), account: 'work' });
    const definition = { transport: 'http', url: authority.mcpUrl, trust: 'trusted', mode: 'shared' };
    await using hub = await startHub(home, { version: 1, servers: { guarded: definition } });
    const { transport: type, ...more } = definition;
    const posted = { enabled: true, servers: { guarded: { ...more, type, account: 'work' } }, meta: {} };
    expect((await post(hub, 'cursor', posted)).status).toBe(200);
    const open = (agent: string) => RawClient.open(hub, `/mcp/${agent}`);
    const [ada, alsoAda, ben] = [await open('codex'), await open('gemini'), await open('cursor')];
    const echo = async (client: RawClient, id: number): Promise<string> =>
      textOf((await client.call(id, 'guarded_echo', { text: 'hi' })).at(-1)?.result ?? {});
    expect([await echo(ada, 1), await echo(alsoAda, 1), await echo(ben, 1)]).toEqual(['hi', 'hi', 'hi']);
    const instances = (await rest(hub, '/api/instances?server=guarded')).body.instances as {
      sessions: { id: string }[];
    }[];
    expect(instances.map(({ sessions }) => sessions.map(({ id }) => id).sort()).sort()).toEqual(
      [[ada.session, alsoAda.session].sort(), [ben.session]].sort(),
    );
    // Ending one grant shows whose it is that each uses.
    authority.revoke(authority.tokenRequests[0]?.grantId);
    expect([await echo(ada, 2), await echo(ben, 2)]).toEqual([expect.stringContaining('auth_required'), 'hi']);
  });
});
