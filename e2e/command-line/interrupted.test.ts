/** Ctrl-C while servers start: nothing is answered, told or written of what was there by then. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, makeHome, testServer } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { start } from '../sign-in/at-terminal.ts';

/** Says that it runs, and nothing else. */
const mute = {
  transport: 'stdio',
  command: process.execPath,
  args: ['-e', 'require("node:fs").writeFileSync(process.env.MARK, ""); setInterval(() => {}, 1000)'],
  env: { MARK: '${MARK}' },
};

async function interrupted(home: Home, words: readonly string[]) {
  const mark = join(home.path, words.join('-').replace(/\W/g, '-'));
  const command = start(home, words, { MARK: mark });
  await expect.poll(() => existsSync(mark), { timeout: 20_000 }).toBe(true);
  command.interrupt();
  const { code, seen } = await command.ended;
  return [words[0], code, seen];
}

test('a command that is stopped while servers start ends as such', async () => {
  await using home = await makeHome();
  await home.write('config/junctor/config.json', { servers: { demo: testServer(), mute } });
  const model = ['--model', 'x', '--base-url', 'http://127.0.0.1:9/v1'];
  const stopped = 'error: Interrupted. (cancelled)\n';
  const commands = [
    ['mcp', 'tools', 'mute'],
    ['mcp', 'test', 'mute'],
    ['search', 'echo'],
    ['preflight', 'mute/x'],
    ['explain', 'mute/x'],
    ['lock'],
  ];
  const outcomes = await Promise.all(commands.map(words => interrupted(home, words)));
  expect(outcomes).toEqual(commands.map(([word]) => [word, 130, stopped]));
  expect(await interrupted(home, ['chat', '-p', 'hi', ...model])).toEqual(['chat', 130, '']);
  expect(await readdir(join(home.path, 'config/junctor'))).not.toContain('junctor.lock');
});

test('a server on stdin and stdout ends by Ctrl-C, also where stdin stays open', async () => {
  await using home = await makeHome();
  for (const words of [
    ['test-server', '--stdio'],
    ['mcp-server', '--model', 'x', '--base-url', 'http://127.0.0.1:9/v1'],
  ]) {
    const server = start(home, words);
    server.type('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await server.shows(/"id":1/);
    server.interrupt();
    const { code, seen } = await server.ended;
    expect([words[0], code, seen.split('\n').length]).toEqual([words[0], 0, 2]);
  }
});
