/** One PostgreSQL for all tests of a file: begun before the first of them, ended after the last. */
import { afterAll, beforeAll } from 'vitest';
import { type Postgres, startPostgres, whyNoPostgres } from './postgres.ts';

/** `missing`: why there is none on this machine; undefined where there is one. */
export function onePostgres(): {
  readonly missing: string | undefined;
  readonly postgres: Omit<Postgres, typeof Symbol.asyncDispose>;
} {
  const missing = whyNoPostgres();
  let begun: Postgres | undefined;
  beforeAll(async () => {
    if (missing === undefined) begun = await startPostgres();
  });
  afterAll(() => begun?.[Symbol.asyncDispose]());
  const running = (): Postgres => {
    if (!begun) throw new Error(missing ?? 'PostgreSQL has not begun yet: ask for it inside a test');
    return begun;
  };
  const postgres = {
    create: (database: string) => running().create(database),
    query: (url: string, statement: string) => running().query(url, statement),
    begin: (url: string, statement: string) => running().begin(url, statement),
    stop: () => running().stop(),
    start: () => running().start(),
  };
  return { missing, postgres };
}
