import { makeHome, misbehaving } from '@junctor/testkit';
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
