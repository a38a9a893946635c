/** Browsers that are logged in to the page. Only hashes are kept: a copy of the database opens nothing. */
import type { Store } from './store.ts';
import type { PageSessionRow } from './tables.ts';

/** A code that logs in once. */
export interface PageCode {
  readonly expires: number;
  /** Who asked for it, where their token has a name. */
  readonly name: string | null;
  /** What they asked with, as in `TokenMaker`. */
  readonly made_by: string | null;
  /** The login ends at this time at the latest. */
  readonly until: number | null;
}

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
  async addCode(sha256: string, code: PageCode): Promise<void> {
    await this.#store.db.deleteFrom('page_codes').where('expires', '<', Date.now()).execute();
    await this.#store.db
      .insertInto('page_codes')
      .values({ sha256, ...code })
      .execute();
  }

  /** Takes a code away: of two visits at once one gets it. */
  takeCode(sha256: string): Promise<PageCode | undefined> {
    const taken = this.#store.db.deleteFrom('page_codes').where('sha256', '=', sha256);
    return taken.returning(['expires', 'name', 'made_by', 'until']).executeTakeFirst();
  }

  /** Ends the logins and codes of these makers. Returns the hashes of the logins. */
  async removeMadeBy(makers: readonly string[]): Promise<string[]> {
    await this.#store.db.deleteFrom('page_codes').where('made_by', 'in', makers).execute();
    const ended = this.#store.db.deleteFrom('page_sessions').where('made_by', 'in', makers).returning('sha256');
    return (await ended.execute()).map(({ sha256 }) => sha256);
  }

  async remove(sha256: string): Promise<void> {
    await this.#store.db.deleteFrom('page_sessions').where('sha256', '=', sha256).execute();
  }
}
