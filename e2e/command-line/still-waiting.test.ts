import { makeHome, misbehaving } from '@junctor/testkit';
import { openTerminal } from '@junctor/testkit/terminal';
import { expect, test } from 'vitest';
import { missingTerminal, startAtTerminal } from '../sign-in/at-terminal.ts';

test('whoever waits for a server at a terminal is told its name', async context => {
  const missing = missingTerminal();
  if (missing) context.skip(missing);
  await using home = await makeHome();
  await home.write('config/junctor/config.json', { servers: { mute: misbehaving('never-answers') } });
  const command = startAtTerminal(home, ['mcp', 'tools']);
  await command.shows(/still waiting for 'mute' … \(Ctrl-C stops\)/);
  command.type('\x03');
  expect(await command.ended).toMatchObject({ code: 130 });
});

test('on a narrow terminal the last column of a table is cut, and the text of help folded', async () => {
  await using home = await makeHome();
  const url = `https://example.com/${'path/'.repeat(20)}mcp`;
  await home.write('config/junctor/config.json', { servers: { web: { transport: 'http', url } } });
  for (const words of [
    ['mcp', 'list'],
    ['mcp', 'list', '--help'],
  ]) {
    await using terminal = openTerminal(home, words, { columns: 70 });
    await terminal.ended;
    const lines = terminal.screen().split('\n');
    expect([words.at(-1), Math.max(...lines.map(line => line.length)) <= 70]).toEqual([words.at(-1), true]);
  }
});
