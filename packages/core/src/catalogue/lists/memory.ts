/**
 * What is remembered of servers between runs: the era a server speaks, so that it need not be probed again, and the
 * catalogue of its last good connection. One small file a server; losing it costs a moment, never an answer.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCacheFile } from '../../base/files/atomic-file.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';

export interface Remembered {
  readonly era?: EraVerdict;
  readonly catalogue?: RememberedCatalogue;
}

export interface EraVerdict {
  readonly era: 'legacy' | 'modern';
  readonly at: number;
}

/** The tools as the server listed them: what the config leaves out is left out by whoever reads this. */
export interface RememberedCatalogue {
  readonly tools: readonly unknown[];
  readonly skipped?: readonly unknown[];
  readonly at: number;
}

export interface Memory {
  recall(server: ResolvedServer): Remembered;
  /** Adds to what is known. Never throws: a full disk must not cost a connection. */
  remember(server: ResolvedServer, news: Remembered): Promise<void>;
  /** Waits until everything is written. */
  flush(): Promise<void>;
}

/** For a host that is to leave no trace. */
export const NO_MEMORY: Memory = { recall: () => ({}), remember: async () => {}, flush: async () => {} };

/** A server that changes its list all the time is written once in a while, and no listing waits for the disk. */
const WRITE_AFTER_MS = 1000;

/** A server that was not connected for this long is asked again. */
const FORGET_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

export class FileMemory implements Memory {
  readonly #directory: string;
  /** What is not written yet, by file. */
  readonly #unwritten = new Map<string, Remembered>();
  /** Worked out once: a connection asks three times. */
  readonly #files = new WeakMap<ResolvedServer, string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #tidied = false;

  constructor(dataDirectory: string) {
    this.#directory = join(dataDirectory, 'catalogue');
  }

  recall(server: ResolvedServer): Remembered {
    const file = this.#file(server);
    return { ...readObject(file), ...this.#unwritten.get(file) };
  }

  async remember(server: ResolvedServer, news: Remembered): Promise<void> {
    const file = this.#file(server);
    this.#unwritten.set(file, { ...this.#unwritten.get(file), ...news });
    // Whoever ends in time flushes; nobody is kept from ending by this.
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // One after the other: a write adds to what the one before it left.
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const batch = [...this.#unwritten];
    if (batch.length === 0) return;
    await Promise.all(batch.map(([file, news]) => this.#writeOne(file, news)));
    for (const [file, news] of batch) if (this.#unwritten.get(file) === news) this.#unwritten.delete(file);
    if (this.#tidied) return;
    this.#tidied = true;
    await this.#tidy();
  }

  async #writeOne(file: string, news: Remembered): Promise<void> {
    try {
      await writeCacheFile(file, JSON.stringify({ ...readObject(file), ...news }));
    } catch {
      // Remembered next time.
    }
  }

  /** Removes what nobody connected to for long: definitions that were changed leave files that no one asks for again. */
  async #tidy(): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    const before = Date.now() - FORGET_AFTER_MS;
    await Promise.all(
      names.map(async name => {
        const file = join(this.#directory, name);
        const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
        if (mtimeMs < before) await unlink(file).catch(() => {});
      }),
    );
  }

  /** A server that is defined otherwise, or reached with other credentials, is another server. */
  #file(server: ResolvedServer): string {
    let file = this.#files.get(server);
    if (file === undefined) {
      const key = sha256(`${server.id}\0${server.definition}`).slice(0, 32);
      file = join(this.#directory, `${key}.json`);
      this.#files.set(server, file);
    }
    return file;
  }
}

/**
 * A damaged file is as good as none. Read at once: a server that has just been started is greeted with what stands here, and
 * waiting four times for the system, while others are started, takes longer than the reading of all of them.
 */
function readObject(file: string): Remembered {
  // On a first start none of them is there: an error that is built for each takes longer than a look.
  if (!existsSync(file)) return {};
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}
