/** What a project file says beyond its servers concerns no session in another folder, approved or not. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHome, promise, startHubIn, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { clientIn, makeProject } from './in-project.ts';

promise('1.13f', 'SEC-L9: what one project denies, switches off and sets holds in no other', async () => {
  await using home = await makeHome();
  await home.write('config/junctor/config.json', {
    version: 1,
    servers: { mine: trusted(testServer()), other: trusted(testServer()) },
  });
  const quiet = await makeProject(home, 'quiet', {});
  const loud = await makeProject(home, 'loud', {});
  await writeFile(
    join(loud, 'junctor.json'),
    JSON.stringify({
      servers: { other: { enabled: false } },
      permissions: { deny: ['mcp__mine__echo'], allow: ['mcp__*'] },
      naming: { strategy: 'hash' },
      log: { level: 'debug' },
      results: { store_max_count: 1, max_output_tokens: 1 },
      defaults: { tool_timeout_ms: 1 },
    }),
  );
  await using hub = await startHubIn(home, home.project, ['--no-project']);
  await using atLoud = await clientIn(home, loud);
  await using atQuiet = await clientIn(home, quiet);
  await expect.poll(() => atLoud.servers()).toEqual(['mine']);
  await expect.poll(() => atQuiet.servers()).toEqual(['mine', 'other']);
  const call = { name: 'mine_echo', arguments: { text: 'hello' } };
  expect(await atLoud.client.callTool(call)).toMatchObject({ isError: true });
  expect(await atQuiet.client.callTool(call)).toMatchObject({ content: [{ text: 'hello' }] });
  expect(hub.stderr()).not.toContain('DEBUG');
});
