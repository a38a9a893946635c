/** Copies of agents' files as they were before a write, byte for byte, in the data directory. 0600: they may hold secrets. */
import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../../base/atomic-file.ts';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import { sha256 } from '../../base/sha256.ts';

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
        why: sentenceOf(error),
        hint: 'mcp export AGENT --remove takes out what Junctor wrote without it',
        cause: error,
      });
    });
  }

  async drop(name: string | null): Promise<void> {
    if (name !== null) await unlink(this.path(name)).catch(() => {});
  }
}
