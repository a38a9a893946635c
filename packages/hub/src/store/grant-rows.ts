/** What was allowed for always at this hub. */
import { type Grant, type GrantShelf, JunctorError } from '@junctor/core';
import type { Change, Database, Store } from './store.ts';

export class GrantRows implements GrantShelf {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  read(): Promise<readonly Grant[]> {
    return grantsIn(this.#store.db);
  }

  async change(edit: (grants: readonly Grant[]) => readonly Grant[]): Promise<void> {
    const work = this.#store.alone(async change => {
      const before = await grantsIn(change);
      const after = edit(before);
      const gone = before.filter(({ id }) => !after.some(grant => grant.id === id));
      const fresh = after.filter(({ id }) => !before.some(grant => grant.id === id));
      for (const { id } of gone) await change.deleteFrom('grants').where('id', '=', id).execute();
      for (const grant of fresh) {
        const row = { id: grant.id, body: JSON.stringify(grant), granted: Date.parse(grant.granted_at) };
        await change.insertInto('grants').values(row).execute();
      }
    });
    await work.catch(error => {
      throw new JunctorError('database_failed', 'What is allowed for always cannot be kept.', {
        why: `the database ${this.#store.place} does not take it`,
        hint: 'see whether the database answers, then answer again',
        cause: error,
      });
    });
  }
}

async function grantsIn(db: Database | Change): Promise<readonly Grant[]> {
  const rows = await db.selectFrom('grants').select('body').orderBy('granted').execute();
  return rows.map(({ body }) => JSON.parse(body) as Grant);
}
