import { join } from 'node:path';
import { isJunctorError, JunctorError } from '@junctor/core';
import { sentenceOf } from '@junctor/core/internal';
import { migrate } from './migrations.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

export const DATABASE_FILE = 'hub.db';

export interface StoreOptions {
  readonly dataDirectory: string;
  /** `postgres://…`; without it, `hub.db` in the data directory. */
  readonly database?: string | undefined;
}

/** Opens the hub's database, with every table it needs. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const store = await connect(options);
  try {
    await migrate(store);
    return store;
  } catch (error) {
    await store.close();
    if (isJunctorError(error)) throw error;
    throw new JunctorError('database_failed', `The tables of the hub's database ${store.place} cannot be made.`, {
      why: sentenceOf(error),
      hint: 'check that it is not damaged, and that you may create tables there',
      cause: error,
    });
  }
}

async function connect({ dataDirectory, database }: StoreOptions): Promise<Store> {
  if (database === undefined) return openSqliteStore(join(dataDirectory, DATABASE_FILE));
  if (/^postgres(ql)?:\/\//.test(database)) {
    const { openPostgresStore } = await import('./postgres-store.ts');
    return openPostgresStore(database);
  }
  throw new JunctorError('usage', '--database takes the URL of a PostgreSQL database.', {
    hint: 'postgres://USER@HOST/DATABASE; without --database the hub keeps its data in a file',
  });
}
