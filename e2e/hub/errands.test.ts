import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Home, junctor, makeHome, ROOT, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test, vi } from 'vitest';
import { rest } from './rest-client.ts';

const SECRET = 'a-key-nobody-may-see';
const FILE = { version: 1, servers: { demo: { ...trusted(testServer()), mode: 'shared', env: { DEMO_KEY: SECRET } } } };

const wordsFor = (home: Home, ...words: string[]): string[] => [
  ...['mcp', 'call', 'demo', ...words],
  ...['--config', join(home.path, 'hub.json'), '--isolated', '--data', home.data],
];

/** What the hub of this home answers to an errand, line by line. */
async function errand(home: Home, words: readonly string[], other: object = {}): Promise<object[]> {
  const { socket, token } = JSON.parse(await readFile(join(home.data, 'hub.json'), 'utf8')) as Record<string, string>;
  const { dev, ino } = statSync('/');
  const mounts = process.platform === 'linux' ? readlinkSync('/proc/self/ns/mnt') : '';
  const view = [process.getuid?.() ?? '', dev, ino, mounts].join(' ');
  const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
  const pipe = connect(socket as string);
  pipe.write(`${JSON.stringify({ ask: 'errand', token, view, words, surroundings, ...other })}\n`);
  const lines = (await text(pipe)).trim().split('\n');
  return lines.map(line => JSON.parse(line) as object);
}

describe('a call that a hub makes for a command', () => {
  test('is what the command would have made itself: its words, its masks, its refusals', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, FILE);
    const both = async (...words: string[]) => [
      await junctor(home, wordsFor(home, ...words)),
      await junctor(home, wordsFor(home, ...words, '--direct')),
    ];
    const [through, direct] = await both('echo', '--args', `{"text":"it is ${SECRET}"}`);
    expect(through).toEqual({ code: 0, stdout: 'it is •••\n', stderr: `through the hub at ${hub.url}: demo\n` });
    expect(through?.stdout).toBe(direct?.stdout);
    for (const words of [['fail'], ['nothing_of_this_name'], ['echo', '--args', '[1]']]) {
      const [here, there] = await both(...words);
      const said = here?.stderr.replace(`through the hub at ${hub.url}: demo\n`, '');
      expect([here?.code, here?.stdout, said]).toEqual([there?.code, there?.stdout, there?.stderr]);
    }
  });

  test('is made for nobody else, for no other view of the machine, and for no other command', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, FILE);
    const words = wordsFor(home, 'pid');
    const [taken, refused] = await errand(home, words, { token: hub.token });
    expect([taken, refused]).toEqual([
      { taken: true },
      { error: { code: 'token_refused', message: 'Only the token of hub.json opens this.' } },
    ]);
    expect(await errand(home, words)).toMatchObject([{ taken: true }, { done: { code: 0 } }]);
    const elsewhere = [{ taken: true }, { elsewhere: true }];
    expect(await errand(home, words, { view: 'a container' })).toEqual(elsewhere);
    expect(await errand(home, [...words, '--direct'])).toEqual(elsewhere);
    expect(await errand(home, ['hub', 'stop', '--data', home.data])).toEqual(elsewhere);
    expect(await errand(home, words.with(2, 'other'))).toEqual(elsewhere);
  });

  test('is given up with its command, and never made twice where the hub ends', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, FILE);
    const begin = async () => {
      const child = spawn(
        process.execPath,
        [join(ROOT, 'packages', 'cli', 'bin', 'junctor.js'), ...wordsFor(home, 'slow', '--args', '{"ms":60000}')],
        { cwd: home.project, env: home.env, stdio: ['ignore', 'ignore', 'pipe'] },
      );
      const ended = Promise.all([once(child, 'exit'), text(child.stderr)]);
      await vi.waitFor(async () => expect((await rest(hub, '/api/calls')).body.running).toHaveLength(1), 20_000);
      return { child, ended };
    };
    const first = await begin();
    first.child.kill('SIGINT');
    expect((await first.ended)[0][0]).toBe(130);
    await vi.waitFor(async () => {
      const { calls } = (await rest(hub, '/api/calls')).body;
      expect(calls).toMatchObject([{ tool: 'slow', outcome: 'unknown', code: 'cancelled' }]);
    }, 20_000);
    const second = await begin();
    hub.process.kill('SIGKILL');
    const [[code], said] = await second.ended;
    expect([code, said.split('\n')[1]]).toEqual([1, '  why: whether the server acted on it is not known']);
  });

  test('needs nothing loaded where it was typed but the way to the hub', () => {
    const bundle = join(ROOT, 'packages', 'cli', 'bundle');
    const errandFile = readdirSync(bundle).find(name => /^errand-.*\.js$/.test(name)) as string;
    const imported = readFileSync(join(bundle, errandFile), 'utf8').matchAll(/from\s*"\.\/([a-z-]+?)-[^"]{8}\.js"/g);
    expect(new Set([...imported].map(([, name]) => name)).isSubsetOf(new Set(['start', 'rolldown-runtime']))).toBe(
      true,
    );
  });
});
