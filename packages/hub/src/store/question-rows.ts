/** Which requests make servers ask their clients, as far as that was learned at this hub or at another on the same database. */
import type { Store } from './store.ts';

export class QuestionRows {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** By server; or of one server. */
  async read(server?: string): Promise<ReadonlyMap<string, string>> {
    let query = this.#store.db.selectFrom('server_questions').select(['server', 'body']);
    if (server !== undefined) query = query.where('server', '=', server);
    return new Map((await query.execute()).map(row => [row.server, row.body]));
  }

  /** `merge` gets what is stored: another hub may have learned something since it was read. */
  async change(server: string, merge: (stored: string | undefined) => string): Promise<void> {
    await this.#store.alone(async change => {
      const stored = change.selectFrom('server_questions').select('body').where('server', '=', server);
      const body = merge((await stored.executeTakeFirst())?.body);
      await change.deleteFrom('server_questions').where('server', '=', server).execute();
      await change.insertInto('server_questions').values({ server, body, updated: Date.now() }).execute();
    });
  }
}
