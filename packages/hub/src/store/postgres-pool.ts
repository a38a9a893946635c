/** Connections to one PostgreSQL. Whoever cannot have one, or gets no answer on it, is told which database is away. */
import { Socket } from 'node:net';
import { isJunctorError, JunctorError } from '@junctor/core';
import { sentenceOf } from '@junctor/core/internal';
import type { Client, ClientBase, Pool, PoolClient, QueryResult } from 'pg';
import { type AtWork, Patience } from './postgres-patience.ts';

const CONNECT_MS = 10_000;

/** How long the machine may take to say that it is there. */
const LOOK_MS = 3000;

/** A connection that says nothing for so long is looked at: what stands between may have forgotten it, and tells nobody. */
const SILENT_MS = 10_000;

/** What is said at the end reaches a machine that is there within this time. */
const GOODBYE_MS = 2000;

/**
 * What a hub holds in the database while it stands still, all others wait for. So PostgreSQL takes it from one that stops in
 * the middle of a change, and from one whose machine lost its power and says nothing any more.
 */
const HOLDS_NOBODY_UP = `
  set idle_in_transaction_session_timeout = '10s';
  set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`;

const AT_WORK = `select pid from pg_stat_activity where coalesce(state, '') not like 'idle%'`;

export class PostgresPool {
  readonly #url: string;
  readonly #pool: Pool;
  readonly #patience: Patience;
  readonly #sockets: ReadonlySet<Socket>;
  /** Part of what Kysely wants of a pool. */
  readonly options: object;

  private constructor(url: string, pool: Pool, patience: Patience, sockets: ReadonlySet<Socket>) {
    this.#url = url;
    this.#pool = pool;
    this.#patience = patience;
    this.#sockets = sockets;
    this.options = pool.options;
  }

  static async open(url: string): Promise<PostgresPool> {
    // Loaded only for those who name such a database: it is no part of the bundle.
    const { default: pg } = await import('pg');
    // Counts and times fit into a number; as text they would sort and add up wrongly.
    pg.types.setTypeParser(pg.types.builtins.INT8, Number);
    const whoIsAtWork = async (): Promise<AtWork> => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LOOK_MS, query_timeout: LOOK_MS });
      // One that breaks fails what is asked on it; unheard, it would end the process.
      client.on('error', () => {});
      try {
        await client.connect();
        return new Set((await client.query(AT_WORK)).rows.map(({ pid }) => pid));
      } catch (error) {
        // It refuses us for the moment, so it is there.
        if (error instanceof pg.DatabaseError) return undefined;
        throw error;
      } finally {
        void client.end().catch(() => {});
      }
    };
    const patience = new Patience({ whoIsAtWork, unreachable: why => unreachable(url, why, LATER) });
    const sockets = new Set<Socket>();
    const pool = new pg.Pool({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENT_MS,
      max: 8,
      onConnect: client => prepare(client, patience),
      stream() {
        const socket = new Socket();
        sockets.add(socket);
        return socket.once('close', () => sockets.delete(socket));
      },
    });
    // A connection that breaks while nobody uses it is replaced by the next query; nobody is to be told.
    pool.on('error', () => {});
    // One that breaks in the middle of a change, between two queries, fails the next; unheard, it would end the process.
    pool.on('connect', client => client.on('error', () => {}));
    const opened = new PostgresPool(url, pool, patience, sockets);
    try {
      (await pool.connect()).release();
      return opened;
    } catch (error) {
      await opened.end();
      throw unreachable(url, error, AT_START);
    }
  }

  async connect(): Promise<PoolClient> {
    this.#patience.expectVoice();
    return this.#pool.connect().catch(error => {
      throw isJunctorError(error) ? error : unreachable(this.#url, error, LATER);
    });
  }

  /** Twice is once. */
  async end(): Promise<void> {
    if (this.#pool.ending) return;
    this.#patience.close();
    const hangUp = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, GOODBYE_MS);
    await this.#pool.end();
    clearTimeout(hangUp);
  }
}

/** From now on what is asked on it is waited for with patience. */
async function prepare(client: ClientBase, patience: Patience): Promise<void> {
  let process: number | undefined;
  const ask = client.query.bind(client);
  const hangUp = (): void => void (client as Client).end().catch(() => {});
  const query = (text: string, values?: unknown[]): Promise<QueryResult> =>
    patience.during({ answer: ask(text, values), process, hangUp });
  Object.assign(client, { query });
  // Not among the parameters of the connection itself: a pool in between would refuse them, and has processes of its own.
  await query(HOLDS_NOBODY_UP);
  process = (await query('select pg_backend_pid() as pid')).rows[0].pid;
}

const AT_START = 'check the URL, and that PostgreSQL runs there; without --database the hub keeps its data in a file';
const LATER = 'check that PostgreSQL runs there: the hub goes on as soon as it answers';

function unreachable(url: string, error: unknown, hint: string): JunctorError {
  return new JunctorError('database_failed', `The hub's database ${withoutPassword(url)} cannot be reached.`, {
    why: sentenceOf(error),
    hint,
    cause: error,
  });
}

export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL';
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  return shown.href;
}
