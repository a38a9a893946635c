/**
 * Results that were too large to hand on whole, in the data directory. Each is a file of its own, readable by this person
 * only; quotas on count, size and age hold after every write, and the oldest of the owner with the most go first. Several
 * processes may share the directory: nothing in it is ever changed, only added and removed.
 */
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { JunctorError } from '../../base/error.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Clock } from '../../base/time/clock.ts';
import { base64Bytes } from '../media/base64.ts';
import { type Artifact, OpenArtifact, writeArtifact } from './artifact-file.ts';
import { isArtifactId } from './artifact-id.ts';
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
  /** By id, as far as somebody needed to know. */
  readonly #owners = new Map<string, string>();
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
    const stored = await this.#list(now);
    const old = stored.filter(one => one.id !== justWritten && now - one.at > maxAgeMs);
    const rest = stored.filter(one => !old.includes(one));
    const isFull = rest.length > maxCount || rest.reduce((sum, one) => sum + one.bytes, 0) > maxBytes;
    const full = isFull ? await this.#aboveQuota(rest, justWritten) : [];
    const removals: Removal[] = [
      ...old.map(({ id }) => ({ id, at: now, why: OLD })),
      ...full.map(({ id }) => ({ id, at: now, why: FULL })),
    ];
    for (const { id } of removals) {
      this.#owners.delete(id);
      await unlink(this.#path(id)).catch(() => {});
    }
    await this.#removed.note(removals).catch(() => {});
  }

  /** Nobody loses a result because another owner stores many: the owner with the most loses its oldest. */
  async #aboveQuota(stored: readonly Stored[], justWritten: string | undefined): Promise<Stored[]> {
    const { maxCount, maxBytes } = this.quotas;
    const owned = await Promise.all(stored.map(async one => ({ one, owner: await this.#ownerOf(one.id) })));
    const ids = new Set(stored.map(({ id }) => id));
    for (const id of this.#owners.keys()) if (!ids.has(id)) this.#owners.delete(id);
    let count = stored.length;
    let bytes = stored.reduce((sum, one) => sum + one.bytes, 0);
    const shares = Map.groupBy(owned, ({ owner }) => owner)
      .values()
      .map(of => {
        const results = of.map(({ one }) => one).sort((a, b) => a.at - b.at);
        return { results, bytes: results.reduce((sum, one) => sum + one.bytes, 0) };
      })
      .toArray();
    const removed: Stored[] = [];
    while (count > maxCount || bytes > maxBytes) {
      const removable = shares.filter(({ results }) => results.some(({ id }) => id !== justWritten));
      const by = bytes > maxBytes ? 'bytes' : 'count';
      const sizeOf = (share: (typeof shares)[number]): number => (by === 'bytes' ? share.bytes : share.results.length);
      const largest = removable.sort((a, b) => sizeOf(b) - sizeOf(a))[0];
      if (!largest) break;
      const at = largest.results.findIndex(({ id }) => id !== justWritten);
      const [oldest] = largest.results.splice(at, 1) as [Stored];
      largest.bytes -= oldest.bytes;
      bytes -= oldest.bytes;
      count--;
      removed.push(oldest);
    }
    return removed;
  }

  /** Read from the file once: nothing in it ever changes. */
  async #ownerOf(id: string): Promise<string> {
    const known = this.#owners.get(id);
    if (known !== undefined) return known;
    const artifact = await OpenArtifact.open(this.#path(id)).catch(() => undefined);
    const owner = artifact?.head.owner ?? '';
    await artifact?.[Symbol.asyncDispose]();
    this.#owners.set(id, owner);
    return owner;
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
