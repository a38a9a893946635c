/** Which hub of several runs what there is to be once. A row is void once no hub of that life is on the register. */
import { HubRows, type SeenHub } from './hub-rows.ts';
import type { Change, Store } from './store.ts';

/** `taken`: from now on it is ours. */
export type Claim = { readonly kind: 'ours' | 'taken' } | { readonly kind: 'theirs'; readonly holder: SeenHub };

export class LeaseRows {
  readonly #store: Store;
  readonly #hubs: HubRows;

  constructor(store: Store) {
    this.#store = store;
    this.#hubs = new HubRows(store);
  }

  /** Takes it where nobody has it. `gone`: a life that is known to be over, though the register may not know yet. */
  claim(what: string, life: string, gone?: string): Promise<Claim | 'unregistered'> {
    return this.#store.alone(async change => {
      const row = await change.selectFrom('leases').selectAll().where('what', '=', what).executeTakeFirst();
      const hubs = await this.#hubs.all(change);
      // What a hub holds that the others do not know of would be taken from it at once.
      if (!hubs.some(hub => hub.life === life)) return 'unregistered';
      if (row?.life === life) return { kind: 'ours' };
      const holder = row && hubs.find(hub => hub.life === row.life && hub.life !== gone);
      if (holder) return { kind: 'theirs', holder };
      await change.deleteFrom('leases').where('what', '=', what).execute();
      await change.insertInto('leases').values({ what, life, since: Date.now() }).execute();
      return { kind: 'taken' };
    });
  }

  /** Which life has what. */
  async lives(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#store.db.selectFrom('leases').select(['what', 'life']).execute();
    return new Map(rows.map(({ what, life }) => [what, life]));
  }

  async release(what: string, life: string): Promise<void> {
    await this.#store.db.deleteFrom('leases').where('what', '=', what).where('life', '=', life).execute();
  }

  async releaseAll(change: Change, life: string): Promise<void> {
    await change.deleteFrom('leases').where('life', '=', life).execute();
  }
}
