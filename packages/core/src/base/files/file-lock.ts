import { mkdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JunctorError } from '../error.ts';
import { unwritable } from './atomic-file.ts';

/** Longer than any edit of a small file takes; shorter than a person waits without wondering. */
const PATIENCE_MS = 10_000;

export interface LockOptions {
  /** How long others are waited for. Default 10 s, for work that is over in a moment. */
  readonly patienceMs?: number;
}

/** The marks of this thread: a lock that bears one of them is held, however old it is. */
const HELD = new Set<string>();

/**
 * Runs `work` while nobody else does the same for this file, in this process or another. The lock is a file beside it that
 * names its owner; a lock whose owner no longer lives is taken over.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const { patienceMs = PATIENCE_MS } = options;
  const lock = `${path}.lock`;
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 }).catch(error => {
    throw unwritable(path, error);
  });
  const mark = `${process.pid} ${crypto.randomUUID()}`;
  HELD.add(mark);
  const giveUpAt = Date.now() + patienceMs;
  try {
    while (!(await claim(lock, mark))) {
      await clearIfAbandoned(lock);
      if (Date.now() > giveUpAt) {
        throw new JunctorError('config_conflict', `Another process is changing ${path}.`, {
          why: `${lock} was held for ${patienceMs / 1000} s`,
          hint: `end that process, or remove ${lock} if none is running`,
        });
      }
      await sleep(5 + Math.random() * 20);
    }
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

/** Longer than looking at a lock and removing it takes; whoever needs more has ended in between. */
const CLEARING_MS = 5000;

/**
 * Takes an abandoned lock away. Two who find it abandoned must not both do so: the second would take away the lock of
 * whoever came in between. So clearing has a lock of its own, and looks again once it is held.
 */
async function clearIfAbandoned(lock: string): Promise<void> {
  if (!(await isAbandoned(lock))) return;
  const clearing = `${lock}.clearing`;
  try {
    await writeFile(clearing, String(process.pid), { flag: 'wx', mode: 0o600 });
  } catch {
    const since = await stat(clearing).then(
      found => found.mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - since > CLEARING_MS) await unlink(clearing).catch(() => {});
    return;
  }
  try {
    if (await isAbandoned(lock)) await unlink(lock).catch(() => {});
  } finally {
    await unlink(clearing).catch(() => {});
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  const mark = await readFile(lock, 'utf8').catch(() => undefined);
  // Its owner was killed between making the file and writing its mark, unless it is about to do so.
  if (mark === '') return isOlderThan(lock, Date.now() - CLEARING_MS);
  const owner = Number(mark?.split(' ')[0]);
  if (mark === undefined || !Number.isInteger(owner)) return false;
  if (owner !== process.pid) return !isAlive(owner);
  // Our own id on a mark that is not ours: another thread of this process holds it, or it was left by a process before us,
  // which had the same id in its container.
  return !HELD.has(mark) && (await isOlderThan(lock, Date.now() - process.uptime() * 1000));
}

async function isOlderThan(file: string, moment: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && found.mtimeMs < moment;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
