import { mkdir, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { JunctorError } from '../error.ts';

/** What a file of ours may be read by: only its owner, since any of them may come to hold a secret. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_DIRECTORY = 0o700;

/**
 * Replaces a file in one step: a reader sees the old content or the new, a crash leaves one of them. An existing file
 * keeps its mode; a symlink keeps pointing where it did. A new one is its owner's alone, unless `newMode` says otherwise.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: { readonly newMode?: number } = {},
): Promise<void> {
  return write(path, content, options);
}

/** The same; a file that was not there gets the mode of ordinary files, since it is kept with a project. */
export function writeSharedFile(path: string, content: string): Promise<void> {
  return write(path, content, { newMode: 0o644 });
}

/** The same for a file that only its owner may read, whatever its mode was before. */
export function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  return write(path, content, { mode: PRIVATE_FILE });
}

/** The same for a file that can be done without: nobody waits for the disk, and after a crash it may be damaged. */
export function writeCacheFile(path: string, content: string): Promise<void> {
  return write(path, content, { mode: PRIVATE_FILE, durable: false });
}

interface HowToWrite {
  /** Whatever it was before. */
  readonly mode?: number;
  /** Of a file that is not there yet; the umask narrows it. */
  readonly newMode?: number;
  readonly durable?: boolean;
}

async function write(path: string, content: string | Uint8Array, how: HowToWrite): Promise<void> {
  const target = await realpath(path).catch(() => path);
  try {
    await replace(target, content, how);
  } catch (error) {
    throw unwritable(path, error as NodeJS.ErrnoException);
  }
}

/** Why a file cannot be written, in words that say what to do about it. */
export function unwritable(path: string, error: NodeJS.ErrnoException): JunctorError {
  return new JunctorError('file_unwritable', `Cannot write ${path}.`, {
    why: error.message,
    hint: HINTS[error.code ?? ''] ?? 'check the path and its permissions',
    cause: error,
  });
}

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room, then try again',
  EDQUOT: 'your disk quota is used up: make room, then try again',
  EROFS: 'the file system is read-only: choose another place',
  EACCES: 'you may not write there: change the permissions, or choose another place',
  EPERM: 'you may not write there: change the permissions, or choose another place',
  EISDIR: 'this is a directory: give the path of a file',
  ENOTDIR: 'a part of the path is a file, not a directory',
};

async function replace(
  target: string,
  content: string | Uint8Array,
  { mode, newMode = PRIVATE_FILE, durable = true }: HowToWrite,
): Promise<void> {
  const folder = dirname(target);
  await mkdir(folder, { recursive: true, mode: PRIVATE_DIRECTORY });
  const found = await stat(target).catch(() => undefined);
  const kept = mode ?? (found ? found.mode & 0o777 : undefined);
  const draft = join(folder, `.${basename(target)}.${crypto.randomUUID()}.tmp`);
  try {
    const file = await open(draft, 'wx', kept ?? newMode);
    try {
      // The umask may have narrowed it.
      if (kept !== undefined && kept !== PRIVATE_FILE) await file.chmod(kept);
      await file.writeFile(content);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
  if (durable) await syncDirectory(folder);
}

/** Makes the rename itself durable where the platform can; Windows cannot open a directory. */
async function syncDirectory(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
