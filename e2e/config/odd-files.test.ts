import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { expect } from 'vitest';

/** Every Unix has it. */
const MAKE_PIPE = 'mkfifo';

promise('12.6k', 'a pipe or a device in the place of a config file is refused, and nobody waits for it', async () => {
  for (const place of ['junctor.json', 'junctor.local.json', '.mcp.toml', '.codelia/config.json']) {
    await using home = await makeHome();
    await home.write('project/.codelia/.keep', '');
    execFileSync(MAKE_PIPE, [join(home.project, place)]);
    const { code, stderr } = await junctor(home, ['mcp', 'list']);
    expect([place, code, /Cannot read the config file .*[\s\S]*it is no regular file/.test(stderr)]).toEqual([
      place,
      1,
      true,
    ]);
  }
  await using home = await makeHome();
  await symlink('/dev/zero', join(home.project, 'junctor.json'));
  expect((await junctor(home, ['mcp', 'list'])).stderr).toContain('it is no regular file');
  expect((await junctor(home, ['mcp', 'list', '--config', '/dev/zero'])).stderr).toContain('it has more than');
});

promise('12.6k', 'a pipe in the place of a lockfile is refused', async () => {
  await using home = await makeHome();
  await home.write('project/junctor.json', { version: 1, servers: { demo: testServer() } });
  execFileSync(MAKE_PIPE, [join(home.project, 'junctor.lock')]);
  await junctor(home, ['trust', 'add', '--all']);
  const { stdout, stderr } = await junctor(home, ['mcp', 'tools', 'demo']);
  expect(`${stdout}${stderr}`).toContain('no regular file');
});
