import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unwritable } from './atomic-file.ts';
import { JunctorError } from './error.ts';

/** Longer than any edit of a small file takes; shorter than a person waits without wondering. */
const PATIENCE_MS = 10_000;

/**
 * Runs `work` while no other process does the same for this file. The lock is a file beside it that names its owner; a
 * lock whose owner no longer lives is taken over.
 */
/** The marks of this process. Locks are between processes, so this one list is theirs to share. */
const HELD = new Set<string>();

export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 }).catch(error => {
    throw unwritable(path, error);
  });
  const mark = `${process.pid} ${randomUUID()}`;
  HELD.add(mark);
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (!(await claim(lock, mark))) {
    await clearIfAbandoned(lock);
    if (Date.now() > giveUpAt) {
      throw new JunctorError('config_conflict', `Another process is changing ${path}.`, {
        why: `${lock} was held for ${PATIENCE_MS / 1000} s`,
        hint: `end that process, or remove ${lock} if none is running`,
      });
    }
    await sleep(5 + Math.random() * 20);
  }
  try {
    return await work();
  } finally {
    HELD.delete(mark);
    if ((await readFile(lock, 'utf8').catch(() => '')) === mark) await unlink(lock).catch(() => {});
  }
}

async function claim(lock: string, mark: string): Promise<boolean> {
  try {
    await writeFile(lock, mark, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // A full disk may hold the file but not its mark: such a lock would have no owner, and stay.
    await unlink(lock).catch(() => {});
    throw unwritable(lock, error as NodeJS.ErrnoException);
  }
}

/** Renaming lets exactly one of several waiters take an abandoned lock away. */
async function clearIfAbandoned(lock: string): Promise<void> {
  const mark = await readFile(lock, 'utf8').catch(() => '');
  const owner = Number(mark.split(' ')[0]);
  // Our own id on a mark that is not ours is that of a process before us, which had the same id in its container.
  const held = owner === process.pid ? HELD.has(mark) : isAlive(owner);
  if (!mark || !Number.isInteger(owner) || held) return;
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(() => {});
  const taken = await readFile(aside, 'utf8').catch(() => mark);
  // Somebody replaced the abandoned lock between our look and our rename: give it back.
  if (taken !== mark) await rename(aside, lock).catch(() => {});
  else await unlink(aside).catch(() => {});
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
