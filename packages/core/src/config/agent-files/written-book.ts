/**
 * What Junctor wrote into the files of agents, file by file: the agents drop marks and unknown keys, so it is kept here.
 * One file in the data directory, 0600: the entries it replaced may hold somebody's secrets.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import { writePrivateFile } from '../../base/files/atomic-file.ts';
import { withFileLock } from '../../base/files/file-lock.ts';
import type { Living } from '../../base/files/living.ts';
import type { Path } from '../formats/document.ts';

export interface WrittenEntry {
  /** As it stood in the file afterwards. */
  readonly written: unknown;
  /** What somebody else had written under the same id. */
  readonly before?: unknown;
}

export type WrittenEntries = Readonly<Record<string, WrittenEntry>>;

/** What held before one write: enough to go back to it. */
export interface Step {
  /** Name of the backup; null: there was no file. */
  readonly backup: string | null;
  /** Of the file before this write, and after it. */
  readonly sha256Before: string | null;
  readonly sha256After: string | null;
  readonly entries: WrittenEntries;
  readonly at: string;
}

export interface WrittenFile {
  readonly agent: string;
  readonly entries: WrittenEntries;
  /** The outermost part of the file that was not there before the first entry. */
  readonly made?: Path;
  /** Oldest first. */
  readonly steps: readonly Step[];
  /** Processes for which it was written until they end. */
  readonly holders?: readonly Living[];
}

interface Book {
  readonly version: 1;
  readonly files: Readonly<Record<string, WrittenFile>>;
}

/** How a piece of work leaves the record of a file; undefined: there is nothing left to know about it. */
export interface Outcome<T> {
  readonly record: WrittenFile | undefined;
  readonly result: T;
}

export class WrittenBook {
  readonly #file: string;

  constructor(dataDirectory: string) {
    this.#file = join(dataDirectory, 'materialised.json');
  }

  async of(file: string): Promise<WrittenFile | undefined> {
    return (await this.#read()).files[file];
  }

  async all(): Promise<readonly (readonly [string, WrittenFile])[]> {
    return Object.entries((await this.#read()).files);
  }

  /** Nobody else writes an agent's file meanwhile, as far as they are Junctor. */
  async change<T>(file: string, work: (record: WrittenFile | undefined) => Promise<Outcome<T>>): Promise<T> {
    return withFileLock(this.#file, async () => {
      const book = await this.#read();
      const { record, result } = await work(book.files[file]);
      const { [file]: _before, ...others } = book.files;
      const files = record ? { ...others, [file]: record } : others;
      await writePrivateFile(this.#file, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
      return result;
    });
  }

  async #read(): Promise<Book> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    if (text === '') return { version: 1, files: {} };
    try {
      return JSON.parse(text) as Book;
    } catch (error) {
      throw new JunctorError('config_unreadable', `${this.#file}, where Junctor notes what it wrote, is not valid.`, {
        why: sentenceOf(error),
        hint: "remove it: Junctor then takes what is in the agents' files for somebody else's",
        cause: error,
      });
    }
  }
}
