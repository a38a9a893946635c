/**
 * Results that were too large to hand on whole, in the data directory. Each is a file of its own, readable by this person
 * only; quotas on count, size and age hold after every write, and the oldest go first. Several processes may share the
 * directory: nothing in it is ever changed, only added and removed.
 */
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { JunctorError } from '../../base/error.ts';
import { sha256 } from '../../base/sha256.ts';
import { isArtifactId } from '../artifact-id.ts';
import { base64Bytes } from '../media/base64.ts';
import { type Artifact, OpenArtifact, writeArtifact } from './artifact-file.ts';
import { type Removal, RemovedResults } from './removed.ts';

export interface StoreQuotas {
  readonly maxBytes: number;
  readonly maxCount: number;
  readonly maxAgeMs: number;
}

export const DEFAULT_QUOTAS: StoreQuotas = {
  maxBytes: 512 * 1024 * 1024,
  maxCount: 1000,
  maxAgeMs: 7 * 24 * 60 * 60_000,
};

interface Stored {
  readonly id: string;
  readonly bytes: number;
  readonly at: number;
}

/** A draft that is this old belongs to a process that was ended while it wrote. */
const ABANDONED_MS = 60 * 60_000;

const FULL = 'newer results needed its room';
const OLD = 'it was older than results.store_max_age_ms';

export class ArtifactStore {
  readonly #directory: string;
  readonly #removed: RemovedResults;
  readonly #clock: Clock;
  quotas: StoreQuotas;

  constructor(dataDirectory: string, { quotas, clock }: { quotas: StoreQuotas; clock: Clock }) {
    this.#directory = join(dataDirectory, 'artifacts');
    this.#removed = new RemovedResults(this.#directory);
    this.#clock = clock;
    this.quotas = quotas;
  }

  /** Keeps a result. Throws where it cannot be kept: no room on the disk, or larger than the store may be. */
  async put(id: string, artifact: Omit<Artifact, 'at'>): Promise<void> {
    const { text, json = '', media } = artifact;
    const bytes = text.length + json.length + media.reduce((sum, { data }) => sum + base64Bytes(data), 0);
    if (bytes > this.quotas.maxBytes) {
      throw new Error(`it is larger than results.store_max_bytes (${this.quotas.maxBytes})`);
    }
    await writeArtifact(this.#path(id), { ...artifact, owner: sha256(artifact.owner), at: this.#clock.now() });
    await this.tidy(id);
  }

  /** Opens a result for whoever owns it. To everybody else it does not exist. */
  async open(id: string, owner: string): Promise<OpenArtifact> {
    if (!isArtifactId(id)) throw unknown(id);
    const artifact = await OpenArtifact.open(this.#path(id)).catch(() => undefined);
    if (!artifact) throw gone(id, await this.#removed.find(id));
    if (artifact.head.owner !== sha256(owner)) {
      await artifact[Symbol.asyncDispose]();
      throw unknown(id);
    }
    if (this.#clock.now() - artifact.head.at <= this.quotas.maxAgeMs) return artifact;
    await artifact[Symbol.asyncDispose]();
    await this.tidy();
    throw gone(id, await this.#removed.find(id));
  }

  /** Removes what is above a quota, oldest first; never the one that was just written. */
  async tidy(justWritten?: string): Promise<void> {
    const { maxAgeMs, maxCount, maxBytes } = this.quotas;
    const now = this.#clock.now();
    const newestFirst = (a: Stored, b: Stored): number =>
      Number(b.id === justWritten) - Number(a.id === justWritten) || b.at - a.at;
    const stored = (await this.#list(now)).sort(newestFirst);
    let bytes = 0;
    let isFull = false;
    const removals: Removal[] = [];
    for (const [count, one] of stored.entries()) {
      bytes += one.bytes;
      // Once there is no room, nothing older stays either, however small it is.
      isFull ||= count > 0 && (count >= maxCount || bytes > maxBytes);
      if (!isFull && now - one.at <= maxAgeMs) continue;
      removals.push({ id: one.id, at: now, why: isFull ? FULL : OLD });
      await unlink(this.#path(one.id)).catch(() => {});
    }
    await this.#removed.note(removals).catch(() => {});
  }

  async #list(now: number): Promise<Stored[]> {
    const names = await readdir(this.#directory).catch(() => []);
    const found = await Promise.all(
      names.map(async (name): Promise<Stored[]> => {
        const path = join(this.#directory, name);
        const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: now }));
        if (isArtifactId(name)) return [{ id: name, bytes: size, at: mtimeMs }];
        if (name.endsWith('.tmp') && Date.now() - mtimeMs > ABANDONED_MS) await unlink(path).catch(() => {});
        return [];
      }),
    );
    return found.flat();
  }

  #path(id: string): string {
    return join(this.#directory, id);
  }
}

function unknown(id: string): JunctorError {
  return new JunctorError('result_gone', `There is no stored result '${id.slice(0, 100)}'.`, {
    why: 'nothing was kept for you under this id',
    hint: 'take the id from the result that was cut, or call the tool again',
  });
}

function gone(id: string, removal: Removal | undefined): JunctorError {
  if (!removal) return unknown(id);
  return new JunctorError('result_gone', `The stored result '${id}' is gone.`, {
    why: `it was removed at ${new Date(removal.at).toISOString()}: ${removal.why}`,
    hint: 'call the tool again',
  });
}
