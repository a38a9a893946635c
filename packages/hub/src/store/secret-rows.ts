/** Secrets that hubs on one database have in common, sealed: those of configs that were posted, and those set over REST. */
import type { Seal } from './seal.ts';
import type { Store } from './store.ts';

export interface SecretRowListed {
  readonly name: string;
  /** Where the key comes from that it is sealed with. */
  readonly key: string;
}

export class SecretRows {
  readonly #store: Store;
  readonly #seal: Seal;

  constructor(store: Store, seal: Seal) {
    this.#store = store;
    this.#seal = seal;
  }

  async get(name: string): Promise<string | undefined> {
    const { db } = this.#store;
    const row = await db.selectFrom('secrets').selectAll().where('name', '=', name).executeTakeFirst();
    return row && this.#seal.open(db, boundTo(name), row);
  }

  async set(name: string, value: string): Promise<void> {
    await this.#store.alone(async change => {
      const sealed = await this.#seal.close(change, boundTo(name), value);
      await change.deleteFrom('secrets').where('name', '=', name).execute();
      await change
        .insertInto('secrets')
        .values({ name, ...sealed, updated: Date.now() })
        .execute();
    });
    await this.#store.announce('secrets');
  }

  /** False where there was nothing to remove. */
  async remove(name: string): Promise<boolean> {
    const removed = this.#store.db.deleteFrom('secrets').where('name', '=', name);
    if ((await removed.executeTakeFirstOrThrow()).numDeletedRows === 0n) return false;
    await this.#store.announce('secrets');
    return true;
  }

  /** In order. No value leaves this way. */
  list(): Promise<SecretRowListed[]> {
    return this.#store.db
      .selectFrom('secrets')
      .innerJoin('sealing_keys', 'sealing_keys.id', 'secrets.sealing_key')
      .select(['secrets.name as name', 'sealing_keys.kind as key'])
      .orderBy('secrets.name')
      .execute();
  }
}

function boundTo(name: string): string {
  return `Secret '${name}'`;
}
