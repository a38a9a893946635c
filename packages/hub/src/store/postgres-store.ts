/** PostgreSQL, for teams: several hubs may stand on one database, and hear from each other through it. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import { CHANNEL, listen } from './postgres-ear.ts';
import { PostgresLocks } from './postgres-locks.ts';
import { PostgresPool, withoutPassword } from './postgres-pool.ts';
import type { Change, Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Whoever changes config or tables holds this lock, so that what was read is still so when it is written. */
const LOCK = 7717;

/** PostgreSQL takes 65535 values in one statement. */
const ROWS_AT_ONCE = 1000;

export async function openPostgresStore(url: string): Promise<Store> {
  const pool = await PostgresPool.open(url);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const listeners = new Set<(words: string) => void>();
  const ear = await listen(pool, words => {
    for (const listener of listeners) listener(words);
  }).catch(async error => {
    await pool.end();
    throw error;
  });
  const close = async (): Promise<void> => {
    ear.close();
    await db.destroy();
    // Kysely ends only what it has used.
    await pool.end();
  };
  return {
    kind: 'postgres',
    place: withoutPassword(url),
    db,
    life: ear.id,
    alone: work =>
      db.transaction().execute(async change => {
        await sql`select pg_advisory_xact_lock(${LOCK})`.execute(change);
        return work(change);
      }),
    locks: new PostgresLocks(pool),
    async addAll(change: Change, table, rows) {
      let added = 0;
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        const { numInsertedOrUpdatedRows = 0n } = await change
          .insertInto(table)
          .values(rows.slice(from, from + ROWS_AT_ONCE) as never)
          .onConflict(conflict => conflict.doNothing())
          .executeTakeFirstOrThrow();
        added += Number(numInsertedOrUpdatedRows);
      }
      return added;
    },
    lowerFor: () => sql`lower`,
    async announce(words) {
      await sql`select pg_notify(${CHANNEL}, ${`${ear.id} ${words}`})`.execute(db);
    },
    onAnnounced(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
