import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { JUNCTOR, makeHome } from '@junctor/testkit';
import { expect, test } from 'vitest';

test('in a folder that was removed, help is given and everything else says where one is', async () => {
  await using home = await makeHome();
  const inGoneFolder = (...words: string[]): SpawnSyncReturns<string> => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const argv = ['-c', script, 'sh', process.execPath, JUNCTOR, ...words];
    return spawnSync('sh', argv, { cwd: home.project, env: home.env, encoding: 'utf8' });
  };
  const { status, stderr } = inGoneFolder('mcp', 'list');
  expect(status).toBe(1);
  expect(stderr).toBe(
    [
      'error: The folder you are in is gone: no config can be looked for from here. (config_unreadable)',
      '  why: it was removed or renamed while this terminal was in it',
      '  try: go to a folder that exists, such as: cd ~\n',
    ].join('\n'),
  );
  expect(inGoneFolder('mcp', 'list', '--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('junctor mcp list'),
  });
});
