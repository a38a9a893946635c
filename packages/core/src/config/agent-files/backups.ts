/**
 * Copies of agents' files as they were before a write, byte for byte, in the data directory. They may hold secrets, so they
 * have mode 0600, there are few of each file, and none gets older than 90 days.
 */
import { readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import { writePrivateFile } from '../../base/files/atomic-file.ts';
import { sha256 } from '../../base/sha256.ts';

const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/** Whether what was copied then is gone by now. */
export function isTooOld(copiedAt: number | string): boolean {
  return Date.now() - new Date(copiedAt).getTime() > MAX_AGE_MS;
}

/** Removes the copies that are too old, whatever files they are of. */
export async function removeOldBackups(dataDirectory: string): Promise<void> {
  const folder = join(dataDirectory, 'backups');
  for (const name of await readdir(folder).catch(() => [])) {
    const copy = join(folder, name);
    const found = await stat(copy).catch(() => undefined);
    if (found?.isFile() && isTooOld(found.mtimeMs)) await unlink(copy).catch(() => {});
  }
}

export class Backups {
  readonly #folder: string;

  constructor(dataDirectory: string) {
    this.#folder = join(dataDirectory, 'backups');
  }

  /** The name under which it can be had again. */
  async keep(file: string, bytes: Buffer): Promise<string> {
    const name = `${sha256(file).slice(0, 16)}-${crypto.randomUUID()}`;
    await writePrivateFile(this.path(name), bytes);
    return name;
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  async read(name: string): Promise<Buffer> {
    return readFile(this.path(name)).catch(error => {
      throw new JunctorError('config_unreadable', `The backup ${this.path(name)} cannot be read.`, {
        why: `${sentenceOf(error)} (copies are kept for 90 days)`,
        hint: 'mcp export AGENT --remove takes out what Junctor wrote without it',
        cause: error,
      });
    });
  }

  async drop(name: string | null): Promise<void> {
    if (name !== null) await unlink(this.path(name)).catch(() => {});
  }
}
