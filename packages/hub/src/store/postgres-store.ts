/** PostgreSQL, for teams: several hubs may stand on one database, and hear from each other through it. */
import { JunctorError } from '@junctor/core';
import { sentenceOf } from '@junctor/core/inside';
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { PostgresLocks } from './postgres-locks.ts';
import { PRESENCE, presenceKey } from './presence.ts';
import type { Change, Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Every hub of this database listens on it. */
const CHANNEL = 'junctor';

/** Whoever changes config or tables holds this lock, so that what was read is still so when it is written. */
const LOCK = 7717;

/** PostgreSQL takes 65535 values in one statement. */
const ROWS_AT_ONCE = 1000;

const CONNECT_MS = 10_000;

export async function openPostgresStore(url: string): Promise<Store> {
  const pool = await openPool(url);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: namingItself(pool, url) }) });
  const listeners = new Set<(words: string) => void>();
  const ear = await listen(pool, words => {
    for (const listener of listeners) listener(words);
  }).catch(async error => {
    await pool.end();
    throw unreachable(url, error);
  });
  const close = async (): Promise<void> => {
    ear.close();
    await db.destroy();
    if (!pool.ended) await pool.end();
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
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        await change
          .insertInto(table)
          .values(rows.slice(from, from + ROWS_AT_ONCE) as never)
          .execute();
      }
    },
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

async function openPool(url: string): Promise<Pool> {
  // Loaded only for those who name such a database: it is no part of the bundle.
  const { default: pg } = await import('pg');
  // Counts and times fit into a number; as text they would sort and add up wrongly.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, keepAlive: true, max: 8 });
  // A connection that breaks while nobody uses it is replaced by the next query; nobody is to be told.
  pool.on('error', () => {});
  try {
    (await pool.connect()).release();
    return pool;
  } catch (error) {
    await pool.end();
    throw unreachable(url, error);
  }
}

/** The pool for queries: where no connection can be had, whoever asked is told which database is away. */
function namingItself(pool: Pool, url: string): PostgresPool {
  return {
    options: pool.options,
    connect: () =>
      pool.connect().catch(error => {
        throw unreachable(url, error, 'check that PostgreSQL runs there: the hub goes on as soon as it answers');
      }),
    end: () => pool.end(),
  };
}

const AT_START = 'check the URL, and that PostgreSQL runs there; without --database the hub keeps its data in a file';

function unreachable(url: string, error: unknown, hint = AT_START): JunctorError {
  return new JunctorError('database_failed', `The hub's database ${withoutPassword(url)} cannot be reached.`, {
    why: sentenceOf(error),
    hint,
    cause: error,
  });
}

interface Ear {
  /** Names this hub, which does not need to hear itself. */
  readonly id: string;
  close(): void;
}

/** Holds one connection to hear what other hubs announce; one that breaks is opened anew. */
async function listen(pool: Pool, onWords: (words: string) => void): Promise<Ear> {
  const id = crypto.randomUUID();
  let closed = false;
  let current: (ClientBase & { release(destroy: boolean): void }) | undefined;
  let again: NodeJS.Timeout | undefined;
  const open = async (): Promise<void> => {
    const client = await pool.connect();
    if (closed) return client.release(true);
    const lost = (): void => {
      if (current !== client) return;
      current = undefined;
      client.release(true);
      reopen();
    };
    current = client;
    client.on('notification', ({ payload = '' }) => {
      const [from = '', ...words] = payload.split(' ');
      if (from !== id) onWords(words.join(' '));
    });
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.query(`listen ${CHANNEL}`);
      // Shared, so that a connection that broke and is not yet given up by the database holds nobody up.
      await client.query(`select pg_advisory_lock_shared(${PRESENCE}, ${presenceKey(id)})`);
    } catch (error) {
      lost();
      throw error;
    }
    // What was announced while nobody listened cannot be heard any more: everything may have changed.
    onWords('*');
  };
  const reopen = (): void => {
    if (closed) return;
    clearTimeout(again);
    again = setTimeout(() => open().catch(reopen), LISTEN_AGAIN_MS).unref();
  };
  await open().catch(error => {
    closed = true;
    clearTimeout(again);
    throw error;
  });
  return {
    id,
    close() {
      closed = true;
      clearTimeout(again);
      const client = current;
      current = undefined;
      client?.release(true);
    },
  };
}

const LISTEN_AGAIN_MS = 1000;

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL';
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  return shown.href;
}
