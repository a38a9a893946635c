/** The port behind which a database stands. Queries are the same on all of them; what differs is here. */
import type { Insertable, Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
export type Change = Transaction<Tables>;

export interface Store extends AsyncDisposable {
  readonly kind: 'sqlite' | 'postgres';
  /** Where it lies, for people: no password in it. */
  readonly place: string;
  readonly db: Database;
  /** Adds many rows in one go: the audit adds hundreds at a time. */
  addAll<Name extends keyof Tables>(
    change: Change,
    table: Name,
    rows: readonly Insertable<Tables[Name]>[],
  ): Promise<void>;
  /** Runs alone: nobody else, in this process or another, changes anything meanwhile. */
  alone<Answer>(work: (change: Change) => Promise<Answer>): Promise<Answer>;
  /** Tells the other hubs on this database that something of this kind changed. */
  announce(topic: string): Promise<void>;
  /** Hears what other hubs announce; the returned function stops. */
  onAnnounced(listener: (topic: string) => void): () => void;
  close(): Promise<void>;
}
