import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JUNCTOR, junctor, makeHome, testServer } from '@junctor/testkit';
import { expect, test } from 'vitest';

test.skipIf(process.platform === 'win32')(
  'a reader that goes away is no failure, and a full disk is told',
  async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { a: { transport: 'stdio', command: 'a' } } });
    const shell = (script: string): string =>
      spawnSync('sh', ['-c', script, process.execPath, JUNCTOR], { cwd: home.project, env: home.env, encoding: 'utf8' })
        .stderr;
    expect(shell('{ "$0" "$1" mcp list; echo "code $?" >&2; } | true')).toBe('code 0\n');
    if (!existsSync('/dev/full')) return;
    expect(shell('"$0" "$1" mcp list >/dev/full; echo "code $?" >&2')).toBe(
      [
        'error: The answer could not be written to stdout. (file_unwritable)',
        '  why: ENOSPC: no space left on device, write',
        '  try: the disk is full: make room, then try again',
        'code 1\n',
      ].join('\n'),
    );
    await home.write('config/junctor/config.json', { servers: { a: testServer() } });
    expect(shell('"$0" "$1" record a /dev/full </dev/null; echo "code $?" >&2')).toBe(
      [
        'error: Cannot write /dev/full. (file_unwritable)',
        '  why: ENOSPC: no space left on device, write',
        '  try: the disk is full: make room, then try again',
        'code 1\n',
      ].join('\n'),
    );
  },
);

test('a hub whose data directory cannot be made says so', async () => {
  await using home = await makeHome();
  const file = await home.write('a-file', 'not a folder');
  const { code, stderr } = await junctor(home, ['hub', '--port', '0', '--data', join(file, 'data')]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot write ${join(file, 'data')}. (file_unwritable)`)]);
});
