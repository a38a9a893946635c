/** Nothing that a chat shows or keeps holds a secret of a server, in whatever form the server says it. */
import { junctor, makeHome, promise } from '@junctor/testkit';
import { startModel } from '@junctor/testkit/model';
import { expect } from 'vitest';
import { leaksIn, leaksInFiles, PLANTED, plant, SHELL, tellingServer } from './planted.ts';

promise('12.6m', 'SEC-L2: a chat shows and keeps no planted secret, in any encoding', async () => {
  await using home = await makeHome();
  await using telling = await tellingServer();
  await home.write('config/junctor/config.json', { version: 1, ...(await plant(home, telling)) });
  await using model = await startModel([
    {
      text: `I know ${PLANTED.store}.`,
      calls: ['tell', 'say', 'die'].map(tool => ({ name: `mcp__gossip__${tool}`, args: {} })),
    },
    { text: `It is ${encodeURIComponent(PLANTED.store)}, or ${btoa(PLANTED.variable)}.` },
  ]);
  const words = ['chat', '--base-url', model.url, '--model', 'scripted', '--yes', '-p', 'tell all', '--debug'];
  const { code, stdout, stderr } = await junctor(home, words, { env: SHELL });
  expect([code, stdout]).toEqual([0, expect.stringContaining('I know •••.')]);
  expect([...leaksIn('stdout', stdout), ...leaksIn('stderr', stderr), ...(await leaksInFiles(home))]).toEqual([]);
});
