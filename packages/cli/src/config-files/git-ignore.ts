/** What is one person's own in a project stays out of the project's history. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeSharedFile } from '@junctor/core/config-write';

const LINE = 'junctor.local.*';

/** Makes git ignore a local file. Returns the file that says so where it had to be changed. */
export async function ignoreInGit(localFile: string): Promise<string | undefined> {
  const folder = dirname(localFile);
  // 0: ignored already, 1: not; anything else: no repository, or no git that could take the file up.
  const { status } = spawnSync('git', ['check-ignore', '--quiet', localFile], { cwd: folder, stdio: 'ignore' });
  if (status !== 1) return undefined;
  const file = join(folder, '.gitignore');
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  // A file that git follows by order of a person counts as not ignored, whatever is written here.
  if (before.split(/\r?\n/).includes(LINE)) return undefined;
  await writeSharedFile(file, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${LINE}\n`);
  return file;
}
