/** The port behind which a database stands. Queries are the same on all of them; what differs is here. */
import type { Insertable, Kysely, RawBuilder, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
export type Change = Transaction<Tables>;

export interface Locks {
  /** Runs `work` while nobody else holds this name, here or at another hub. What a hub held that is gone is free. */
  holding<Answer>(name: string, patienceMs: number, work: () => Promise<Answer>): Promise<Answer>;
}

export interface Store extends AsyncDisposable {
  readonly kind: 'sqlite' | 'postgres';
  /** Where it lies, for people: no password in it. */
  readonly place: string;
  readonly db: Database;
  /** Names this life of the hub, another one at every start. */
  readonly life: string;
  /** Adds many rows in one go: the audit adds hundreds at a time. Says how many of them were not there yet. */
  addAll<Name extends keyof Tables>(
    change: Change,
    table: Name,
    rows: readonly Insertable<Tables[Name]>[],
  ): Promise<number>;
  /** The function that takes away the difference of large and small letters, for a text that is looked for. */
  lowerFor(text: string): RawBuilder<string>;
  /** Runs alone: nobody else, in this process or another, changes anything meanwhile. */
  alone<Answer>(work: (change: Change) => Promise<Answer>): Promise<Answer>;
  /** Where several hubs may stand on it: what keeps them apart. */
  readonly locks?: Locks;
  /** Tells the other hubs on this database a few words: what changed, not what it is now. See `replicas/notices.ts`. */
  announce(words: string): Promise<void>;
  /** Hears what other hubs announce; `*`: something may have been missed. The returned function stops. */
  onAnnounced(listener: (words: string) => void): () => void;
  close(): Promise<void>;
}
