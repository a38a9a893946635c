/** Nothing that a command prints or writes holds a secret, in whatever form. */
import { junctor, makeHome, promise } from '@junctor/testkit';
import { expect } from 'vitest';
import { leaksIn, leaksInFiles, PLANTED, plant, SHELL, tellingServer } from './planted.ts';

const SPOKEN = JSON.stringify({ password: PLANTED.callArgument });

const COMMANDS: readonly (readonly string[])[] = [
  ...['gossip', 'dying', 'telling', 'address', 'signed'].flatMap(id => [
    ['mcp', 'get', id],
    ['mcp', 'test', id],
    ['explain', id],
  ]),
  ...[['list'], ['tools'], ['list', '--json'], ['get', 'address', '--json'], ['get', 'gossip', '--json']].map(words => [
    'mcp',
    ...words,
  ]),
  ...['tell', 'say', 'die'].map(tool => ['mcp', 'call', 'gossip', tool, '--args', SPOKEN]),
  ['mcp', 'call', 'gossip', 'tell', '--json', '--args', SPOKEN],
  ['mcp', 'call', 'gossip', 'nothing', '--args', SPOKEN],
  ['mcp', 'export', 'codex'],
  ['doctor'],
  ['doctor', '--json'],
  ['validate'],
  ['auth', 'status'],
  ['stats', '--json'],
  ['lock'],
  ['lock', 'diff'],
];

promise(
  '12.6m',
  'SEC-L2: no command shows or keeps a planted secret, in any encoding',
  async () => {
    await using home = await makeHome();
    await using telling = await tellingServer();
    await home.write('config/junctor/config.json', { version: 1, ...(await plant(home, telling)) });
    const leaks: string[] = [];
    const run = async (words: readonly string[]): Promise<void> => {
      const { stdout, stderr } = await junctor(home, [...words, '--debug'], { env: SHELL });
      // What a person types into a command is theirs, and comes back where the server says it.
      leaks.push(...leaksIn(`${words.slice(0, 4).join(' ')}, stdout`, stdout, ['callArgument']));
      leaks.push(...leaksIn(`${words.slice(0, 4).join(' ')}, stderr`, stderr, ['callArgument']));
    };
    const waiting = [...COMMANDS];
    const worker = async (): Promise<void> => {
      for (let words = waiting.shift(); words; words = waiting.shift()) await run(words);
    };
    await Promise.all([worker(), worker(), worker()]);
    expect(leaks).toEqual([]);
    expect(await leaksInFiles(home)).toEqual([]);
    // The server had them all: else nothing would be proved.
    const said = await junctor(home, ['mcp', 'call', 'gossip', 'say'], { env: SHELL });
    expect(said.stdout.match(/^"(?:--token=)?•••"/gm)).toHaveLength(6);
  },
  240_000,
);
