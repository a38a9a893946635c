/**
 * Statistics across runs: one small file in the data directory, to which every process adds what is new. It is written in
 * the background, and when a host closes; losing a write costs some counts, never a call.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCacheFile } from '../base/files/atomic-file.ts';
import { withFileLock } from '../base/files/file-lock.ts';
import { addTallies, Statistics, type Tallies, type Tally } from './statistics.ts';

/** Often enough for whoever looks, rare enough that nobody notices. */
const WRITE_AFTER_MS = 3000;

/** A tool that was not used for a year is forgotten. */
const FORGET_AFTER_MS = 365 * 24 * 60 * 60_000;

/** Closing does not wait long for other processes: then these counts are lost. */
const PATIENCE_MS = 2000;

export class StatisticsFile {
  readonly statistics: Statistics = new Statistics(() => this.#schedule());
  readonly #path: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** Without a directory nothing outlives the run. */
  constructor(dataDirectory: string | undefined) {
    this.#path = dataDirectory === undefined ? undefined : statisticsPath(dataDirectory);
  }

  /** All that is known, this run included. */
  async read(): Promise<Tallies> {
    await this.#writing;
    const kept = this.#path === undefined ? new Map() : await readTallies(this.#path);
    return addTallies(kept, this.statistics.fresh);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  #schedule(): void {
    if (this.#path === undefined) return;
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  async #write(): Promise<void> {
    const path = this.#path;
    const news = this.statistics.take();
    if (path === undefined || news.size === 0) return;
    try {
      await withFileLock(path, async () => writeCacheFile(path, written(addTallies(await readTallies(path), news))), {
        patienceMs: PATIENCE_MS,
      });
    } catch {
      // A full disk, or a crowd at the lock: counts are not worth an error.
    }
  }
}

export function statisticsPath(dataDirectory: string): string {
  return join(dataDirectory, 'statistics.json');
}

/** A damaged file is as good as none. */
export async function readTallies(path: string): Promise<Tallies> {
  try {
    const { servers } = JSON.parse(await readFile(path, 'utf8')) as { servers: Record<string, Record<string, Tally>> };
    return new Map(Object.entries(servers).map(([server, tools]) => [server, new Map(Object.entries(tools))]));
  } catch {
    return new Map();
  }
}

function written(tallies: Tallies): string {
  const since = Date.now() - FORGET_AFTER_MS;
  const servers = [...tallies].map(([server, tools]) => [
    server,
    Object.fromEntries([...tools].filter(([, { lastUsed }]) => lastUsed >= since)),
  ]);
  return JSON.stringify({ version: 1, servers: Object.fromEntries(servers) });
}
