/** Browsers that are logged in to the page. Only hashes are kept: a copy of the database opens nothing. */
import type { Store } from './store.ts';
import type { PageSessionRow } from './tables.ts';

export class PageSessionRows {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async add(row: PageSessionRow): Promise<void> {
    await this.#store.db.deleteFrom('page_sessions').where('expires', '<', row.created).execute();
    await this.#store.db.insertInto('page_sessions').values(row).execute();
  }

  find(sha256: string): Promise<PageSessionRow | undefined> {
    return this.#store.db.selectFrom('page_sessions').selectAll().where('sha256', '=', sha256).executeTakeFirst();
  }

  /** A code that logs in once, for other hubs on this database. */
  async addCode(sha256: string, expires: number): Promise<void> {
    await this.#store.db.deleteFrom('page_codes').where('expires', '<', Date.now()).execute();
    await this.#store.db.insertInto('page_codes').values({ sha256, expires }).execute();
  }

  /** Takes a code away: of two visits at once one gets it. */
  async takeCode(sha256: string): Promise<number | undefined> {
    const taken = this.#store.db.deleteFrom('page_codes').where('sha256', '=', sha256).returning('expires');
    return (await taken.executeTakeFirst())?.expires;
  }

  async remove(sha256: string): Promise<void> {
    await this.#store.db.deleteFrom('page_sessions').where('sha256', '=', sha256).execute();
  }
}
