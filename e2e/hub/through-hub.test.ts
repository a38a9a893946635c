import { readFile } from 'node:fs/promises';
import { type Home, junctor, makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { rest } from './rest-client.ts';

const SHARED = { ...trusted(testServer()), mode: 'shared' };
const FILE = { version: 1, servers: { demo: SHARED } };

/** A command on the same data directory, with a config of its own. */
async function command(home: Home, config: object, words: readonly string[]) {
  const file = await home.write('here.json', config);
  const outcome = await junctor(home, [...words, '--config', file, '--isolated', '--data', home.data]);
  return { ...outcome, lines: outcome.stderr.split('\n') };
}

const json = async (home: Home, config: object, ...words: string[]) => {
  const { code, stdout } = await command(home, config, [...words, '--json']);
  return { code, body: JSON.parse(stdout) };
};

describe('a command while a hub runs on its data directory', () => {
  promise(
    ['9.3a', '9.3c', '8.6d'],
    'goes through the hub where the server is the same there, and says so',
    async () => {
      await using home = await makeHome();
      await using hub = await startHub(home, FILE);
      const [one, two] = [await command(home, FILE, CALL_PID), await command(home, FILE, CALL_PID)];
      // The process is the hub's, and it is one.
      expect([one.code, one.stdout]).toEqual([0, two.stdout]);
      expect(one.lines[0]).toBe(`through the hub at ${hub.url}: demo`);
      const { calls } = (await rest(hub, '/api/calls')).body;
      expect(calls.map((call: { bearer: string; tool: string }) => [call.bearer, call.tool])).toEqual([
        ['person', 'pid'],
        ['person', 'pid'],
      ]);
      expect((await json(home, FILE, ...CALL_PID)).body).toMatchObject({ success: true, via: 'hub' });
      expect((await json(home, FILE, 'mcp', 'tools', 'demo', '--fresh')).body.via).toEqual({ demo: 'hub' });
      const tried = (await json(home, FILE, 'mcp', 'test', 'demo')).body;
      expect(tried).toMatchObject({ ok: true, via: 'hub' });
      // And a person who wants the server itself gets it.
      expect((await command(home, FILE, [...CALL_PID, '--direct'])).stdout).not.toBe(one.stdout);
    },
  );

  promise(['9.3b', '9.3c'], 'goes to the server directly where anything about it differs, and says so', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, FILE);
    const ofHub = (await command(home, FILE, CALL_PID)).stdout;
    const others = [
      { ...SHARED, env: { WHO: 'somebody else' } },
      { ...SHARED, args: [...SHARED.args, '--debug'] },
      { ...SHARED, cwd: home.path },
      { ...SHARED, tool_timeout_ms: 123_456 },
    ];
    for (const other of others) {
      const config = { version: 1, servers: { demo: other } };
      const { code, stdout, lines } = await command(home, config, CALL_PID);
      expect([code, stdout === ofHub]).toEqual([0, false]);
      // On every command it would be noise: whoever wants to know asks for it.
      expect(lines.join()).not.toContain('directly');
      expect((await json(home, config, ...CALL_PID)).body).toMatchObject({ success: true, via: 'direct' });
    }
    const told = await command(home, { version: 1, servers: { demo: others[0] } }, [...CALL_PID, '--debug']);
    expect(told.lines.join('\n')).toContain(`directly: demo as defined here is not what the hub at ${hub.url} has`);
    const unknown = { version: 1, servers: { new: SHARED, demo: SHARED } };
    expect((await json(home, unknown, 'mcp', 'tools', '--fresh')).body.via).toEqual({ new: 'direct', demo: 'hub' });
    expect((await rest(hub, '/api/calls')).body.calls).toHaveLength(1);
  });

  test('asks here, once: a yes at this terminal counts at the hub, and a no of its rules stays one', async () => {
    await using home = await makeHome();
    const servers = { demo: { ...SHARED, trust: 'untrusted' } };
    const file = { version: 1, servers, permissions: { deny: ['mcp__demo__fail'] } };
    await using hub = await startHub(home, file);
    const refused = await command(home, file, ['mcp', 'call', 'demo', 'echo', '--args', '{"text":"hi"}']);
    expect([refused.code, refused.stdout]).toEqual([3, '']);
    const agreed = await command(home, file, ['mcp', 'call', 'demo', 'echo', '--args', '{"text":"hi"}', '--yes']);
    expect([agreed.code, agreed.stdout]).toEqual([0, 'hi\n']);
    // Rules here know nothing of it.
    const denied = await command(home, { version: 1, servers }, ['mcp', 'call', 'demo', 'fail', '--yes']);
    expect([denied.code, denied.stdout]).toEqual([1, expect.stringContaining('demo/fail was denied')]);
    const { calls } = (await rest(hub, '/api/calls')).body;
    expect(calls.map((call: { tool: string; verdict: string }) => [call.tool, call.verdict])).toEqual([
      ['fail', 'deny'],
      ['echo', 'allow'],
    ]);
  });

  promise('9.3d', 'that is about config works on files, whether a hub runs or not', async () => {
    const edited = async (withHub: boolean): Promise<string[]> => {
      await using home = await makeHome();
      await using _hub = withHub ? await startHub(home, FILE) : undefined;
      const run = (...words: string[]) => junctor(home, [...words, '--data', home.data]);
      await run('mcp', 'add', 'tool', '--scope', 'global', '--', 'node', 'tool.js');
      const added = await readFile(home.userConfig, 'utf8');
      const { stdout: list } = await run('mcp', 'list', '--json');
      const { stdout: got } = await run('mcp', 'get', 'tool', '--json');
      await run('mcp', 'disable', 'tool', '--scope', 'global');
      const disabled = await readFile(home.userConfig, 'utf8');
      await run('mcp', 'remove', 'tool', '--scope', 'global');
      const here = [added, list, got, disabled, await readFile(home.userConfig, 'utf8')];
      return here.map(text => text.replaceAll(home.path, 'HOME'));
    };
    const [alone, beside] = [await edited(false), await edited(true)];
    expect(alone.map(text => text.includes('"tool"'))).toEqual([true, true, true, true, false]);
    expect(beside).toEqual(alone);
  });
});

const CALL_PID = ['mcp', 'call', 'demo', 'pid'];
