/** The hubs that stand on one PostgreSQL. Time is the database's: clocks of machines differ. */
import { sql } from 'kysely';
import { PRESENCE, presenceKey } from './presence.ts';
import type { Change, Database, Store } from './store.ts';
import type { HubRow } from './tables.ts';

/** A hub as the others see it. */
export interface SeenHub extends HubRow {
  /** How long it said nothing. */
  readonly silentMs: number;
  /** Whether its process is still connected to the database. */
  readonly connected: boolean;
}

const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

export class HubRows {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  find(db: Database | Change, id: string): Promise<HubRow | undefined> {
    return db.selectFrom('hubs').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async put(change: Change, row: Omit<HubRow, 'seen'>): Promise<void> {
    await change.deleteFrom('hubs').where('id', '=', row.id).execute();
    await change
      .insertInto('hubs')
      .values({ ...row, seen: NOW })
      .execute();
  }

  /** Says that this life goes on. False where it is not there any more: it was taken for gone. */
  async beat(id: string, life: string): Promise<boolean> {
    const mine = this.#store.db.updateTable('hubs').set({ seen: NOW }).where('id', '=', id).where('life', '=', life);
    return (await mine.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
  }

  async all(db: Database | Change = this.#store.db): Promise<SeenHub[]> {
    const rows = await db
      .selectFrom('hubs')
      .selectAll()
      .select(sql<number>`${NOW} - seen`.as('silentMs'))
      .orderBy('started')
      .orderBy('id')
      .execute();
    const held = await sql<{ key: number }>`
      select objid::bigint as key from pg_locks
      where locktype = 'advisory' and granted and classid = ${PRESENCE} and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())`.execute(db);
    const keys = new Set(held.rows.map(({ key }) => key));
    return rows.map(row => ({ ...row, connected: keys.has(presenceKey(row.life)) }));
  }

  async remove(db: Database | Change, id: string, life: string): Promise<void> {
    await db.deleteFrom('hubs').where('id', '=', id).where('life', '=', life).execute();
  }
}
