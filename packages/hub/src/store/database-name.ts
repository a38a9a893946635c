import type { Store } from './store.ts';

/** The same for every hub that stands on it, by whatever address; another for each database. */
export async function databaseName({ db }: Store): Promise<string> {
  const first = db.selectFrom('migrations').select(['name', 'at']).orderBy('name').limit(1);
  const { name, at } = await first.executeTakeFirstOrThrow();
  return `${name} ${at}`;
}
