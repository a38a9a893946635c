import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, JUNCTOR, junctor, makeHome, promise } from '@junctor/testkit';
import { describe, expect } from 'vitest';

const isRoot = process.getuid?.() === 0;
const BEFORE = '{\n  // mine\n  "servers": {}\n}\n';

/** A small file system of its own, so that filling it or locking it hurts nobody. */
async function smallDisk(home: Home): Promise<AsyncDisposable & { readonly path: string }> {
  const path = join(home.path, 'disk');
  await mkdir(path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path]);
  return {
    path,
    async [Symbol.asyncDispose]() {
      execFileSync('umount', [path]);
    },
  };
}

describe('a config file that cannot be written', () => {
  promise('1.5e', 'because the disk is full is left as it was, and said so', async ({ skip }) => {
    if (!isRoot) skip('mounting a small disk needs root');
    await using home = await makeHome();
    await using disk = await smallDisk(home);
    const file = join(disk.path, 'junctor.json');
    await writeFile(file, BEFORE);
    await writeFile(join(disk.path, 'filler'), Buffer.alloc(60 * 1024)).catch(() => {});
    for (let number = 0; number < 64; number++) {
      const full = await writeFile(join(disk.path, `more-${number}`), Buffer.alloc(1024)).then(
        () => false,
        () => true,
      );
      if (full) break;
    }
    const { code, stderr } = await junctor(home, ['mcp', 'add', 'a', '--command', 'x', '--config', file]);
    expect([code, stderr.includes('(file_unwritable)'), stderr.includes('the disk is full')]).toEqual([1, true, true]);
    expect(await readFile(file, 'utf8')).toBe(BEFORE);
    expect((await readdir(disk.path)).filter(name => name.includes('.tmp') || name.includes('.lock'))).toEqual([]);
  });

  promise('1.5e', 'because its disk is read-only is left as it was, and said so', async ({ skip }) => {
    if (!isRoot) skip('mounting a small disk needs root');
    await using home = await makeHome();
    await using disk = await smallDisk(home);
    const file = join(disk.path, 'junctor.json');
    await writeFile(file, BEFORE);
    execFileSync('mount', ['-o', 'remount,ro', disk.path]);
    const { code, stderr } = await junctor(home, ['mcp', 'add', 'a', '--command', 'x', '--config', file]);
    expect([code, stderr.includes('read-only')]).toEqual([1, true]);
    expect(await readFile(file, 'utf8')).toBe(BEFORE);
  });
});

describe('a config file that may not be read', () => {
  promise('1.1d', 'is named, with what to do', async ({ skip }) => {
    if (!isRoot) skip('becoming another user needs root');
    await using home = await makeHome();
    const file = await home.write('hidden.json', BEFORE);
    await chmod(file, 0);
    await chmod(home.path, 0o755);
    const env = { ...home.env, HOME: '/nonexistent', NODE_DISABLE_COMPILE_CACHE: '1' };
    const words = ['-u', 'nobody', '--', process.execPath, JUNCTOR, 'mcp', 'list', '--config', file, '--isolated'];
    const { status, stderr } = spawnSync('runuser', words, { env, encoding: 'utf8', cwd: '/' });
    if (stderr.includes('Permission denied') || stderr.includes('Cannot find module'))
      skip('another user cannot reach this workspace');
    expect([status, stderr.split('\n')[0]]).toEqual([
      1,
      `error: Cannot read the config file ${file}. (config_unreadable)`,
    ]);
    expect(stderr).toContain('chmod u+r');
  });
});
