/** SQLite in one file of the data directory, by way of `node:sqlite`: nothing to install, nothing to run. */
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { JunctorError } from '@junctor/core';
import { PRIVATE_DIRECTORY, PRIVATE_FILE, sentenceOf } from '@junctor/core/internal';
import { type Insertable, Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely';
import type { Change, Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Of such letters SQLite itself knows no other size. Ours does, and is called for each row: only where it must be. */
const BEYOND_ASCII = /[^\x20-\x7e]/;

/** How long a write waits for another process. */
const BUSY_MS = 5000;

export function openSqliteStore(file: string): Store {
  const connection = connect(file);
  const statements = new Statements(connection);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: statements }) });
  const alone = <Answer>(work: (change: Change) => Promise<Answer>): Promise<Answer> => db.transaction().execute(work);
  const close = async (): Promise<void> => {
    // Kysely closes only what it has used.
    await db.destroy();
    if (connection.isOpen) connection.close();
  };
  return {
    kind: 'sqlite',
    place: file,
    db,
    life: randomUUID(),
    alone,
    async addAll(_change, table, rows) {
      return statements.insertAll(table, rows);
    },
    lowerFor: text => (BEYOND_ASCII.test(text) ? sql`lower_all` : sql`lower`),
    async announce() {},
    onAnnounced: () => () => {},
    close,
    [Symbol.asyncDispose]: close,
  };
}

function connect(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_DIRECTORY });
    // Made with its mode, before anything is in it; its companions get the same.
    closeSync(openSync(file, 'a', PRIVATE_FILE));
    const connection = new DatabaseSync(file);
    connection.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = ${BUSY_MS}`);
    connection.function('lower_all', { deterministic: true }, text => String(text).toLowerCase());
    return connection;
  } catch (error) {
    throw new JunctorError('database_failed', `The hub's database ${file} cannot be opened.`, {
      why: sentenceOf(error),
      hint: 'check the file and its permissions; moved away, a new and empty one is made',
      cause: error,
    });
  }
}

/** Prepared statements, each once. */
class Statements implements SqliteDatabase {
  readonly #connection: DatabaseSync;
  readonly #prepared = new Map<string, SqliteStatement>();
  readonly #inserts = new Map<string, StatementSync>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  prepare(text: string): SqliteStatement {
    const known = this.#prepared.get(text);
    if (known) return known;
    // A transaction that first reads and then writes would fail where another process wrote in between.
    const statement = asKyselyWants(this.#connection.prepare(text === 'begin' ? 'begin immediate' : text));
    this.#prepared.set(text, statement);
    if (this.#prepared.size > MAX_PREPARED) this.#prepared.delete(this.#prepared.keys().next().value as string);
    return statement;
  }

  /** All rows have the same columns, in the same order. */
  insertAll<Name extends keyof Tables>(table: Name, rows: readonly Insertable<Tables[Name]>[]): number {
    let added = 0;
    const target = `${table} (${Object.keys(rows[0] ?? {}).join(', ')})`;
    for (let at = 0; at < rows.length; ) {
      const count = rows.length - at < ROWS_AT_ONCE ? 1 : ROWS_AT_ONCE;
      const values: SQLInputValue[] = [];
      for (const end = at + count; at < end; at++)
        for (const value of Object.values(rows[at] as object)) values.push(value);
      added += Number(this.#insert(target, count, values.length / count).run(...values).changes);
    }
    return added;
  }

  /** Prepared once: a query built for each row costs more than the row itself. */
  #insert(target: string, rows: number, columns: number): StatementSync {
    const key = `${rows} into ${target}`;
    const known = this.#inserts.get(key);
    if (known) return known;
    const row = `(${Array(columns).fill('?').join(', ')})`;
    const statement = this.#connection.prepare(
      `insert into ${target} values ${Array(rows).fill(row).join(', ')} on conflict do nothing`,
    );
    this.#inserts.set(key, statement);
    return statement;
  }

  close(): void {
    this.#connection.close();
  }
}

/** So many rows go in with one statement: half the cost of one by one. */
const ROWS_AT_ONCE = 16;

/** Queries with filters differ in their text; those asked for long ago are forgotten. */
const MAX_PREPARED = 200;

function asKyselyWants(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: parameters => statement.all(...values(parameters)),
    run: parameters => statement.run(...values(parameters)),
    iterate: parameters => statement.iterate(...values(parameters)),
  };
}
