/** PostgreSQL, for teams: several hubs may stand on one database, and hear from each other through it. */
import { JunctorError } from '@junctor/core';
import { sentenceOf } from '@junctor/core/inside';
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { listen } from './postgres-ear.ts';
import { PostgresLocks } from './postgres-locks.ts';
import type { Change, Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Whoever changes config or tables holds this lock, so that what was read is still so when it is written. */
const LOCK = 7717;

/** PostgreSQL takes 65535 values in one statement. */
const ROWS_AT_ONCE = 1000;

const CONNECT_MS = 10_000;

/** A connection that says nothing for so long is looked at: what stands between may have forgotten it, and tells nobody. */
const SILENT_MS = 10_000;

/**
 * What a hub holds in the database while it stands still, all others wait for. So PostgreSQL takes it from one that stops in
 * the middle of a change, and from one whose machine lost its power and says nothing any more.
 */
const HOLDS_NOBODY_UP = `
  set idle_in_transaction_session_timeout = '10s';
  set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`;

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
    announce: words => ear.tell(words),
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
  const patience = { connectionTimeoutMillis: CONNECT_MS, keepAlive: true, keepAliveInitialDelayMillis: SILENT_MS };
  // Not among the parameters of the connection itself: a pool in between would refuse them.
  const onConnect = async (client: ClientBase): Promise<void> => void (await client.query(HOLDS_NOBODY_UP));
  const pool = new pg.Pool({ connectionString: url, ...patience, onConnect, max: 8 });
  // A connection that breaks while nobody uses it is replaced by the next query; nobody is to be told.
  pool.on('error', () => {});
  // One that breaks in the middle of a change, between two queries, fails the next; unheard, it would end the process.
  pool.on('connect', client => client.on('error', () => {}));
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

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL';
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  return shown.href;
}
