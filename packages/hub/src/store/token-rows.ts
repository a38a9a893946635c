/** The tokens that hubs on one database have in common. Only hashes are kept: a copy of the database opens nothing. */
import type { Store } from './store.ts';
import type { HubTokenRow } from './tables.ts';
import type { TokenEntry } from './token-document.ts';

export class TokenRows {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Oldest first. */
  async all(): Promise<TokenEntry[]> {
    const rows = await this.#store.db
      .selectFrom('hub_tokens')
      .selectAll()
      .orderBy('created')
      .orderBy('sha256')
      .execute();
    return rows.map(entryOf);
  }

  async change(made: readonly TokenEntry[], revoked: readonly string[]): Promise<void> {
    await this.#store.db.transaction().execute(async change => {
      if (revoked.length > 0) await change.deleteFrom('hub_tokens').where('sha256', 'in', revoked).execute();
      if (made.length === 0) return;
      await change
        .insertInto('hub_tokens')
        .values(made.map(rowOf))
        .onConflict(conflict => conflict.column('sha256').doNothing())
        .execute();
    });
  }
}

function rowOf({ sha256, created, ...terms }: TokenEntry): HubTokenRow {
  const { agent = null, session = null, executor = null, opens = null, name = null, expires = null } = terms;
  const { made_by = null, made_by_name = null } = terms;
  return { sha256, agent, session, executor, opens, name, created, expires, made_by, made_by_name };
}

/** As in the file, where what is not said is not there. */
function entryOf({ sha256, created, ...terms }: HubTokenRow): TokenEntry {
  const said = Object.entries(terms).filter(([, value]) => value !== null);
  return { sha256, ...Object.fromEntries(said), created };
}
