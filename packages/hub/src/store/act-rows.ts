/** What people changed at the hub: who, what, before and after, and from where. Rows are added and, once old, removed. */
import type { Store } from './store.ts';
import type { ActRow, StoredAct } from './tables.ts';

export interface ActFilter {
  /** An act, or its first word: `token` finds `token.create`. */
  readonly act?: string | undefined;
  readonly person?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only those before this number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Longer than calls are kept: questions about who changed what come late. */
const KEEP_MS = 365 * 24 * 60 * 60_000;

/** However many acts there are in that time, the disk has an end. */
const MAX_ACTS = 100_000;

/** Old ones are removed once in so many. */
const TIDY_EVERY = 200;

export class ActRows {
  readonly #store: Store;
  #sinceTidied = TIDY_EVERY;

  constructor(store: Store) {
    this.#store = store;
  }

  async add(row: ActRow): Promise<void> {
    await this.#store.db.insertInto('acts').values(row).execute();
    if (++this.#sinceTidied < TIDY_EVERY) return;
    this.#sinceTidied = 0;
    await this.#tidy();
  }

  /** Newest first. */
  async list({ act, person, since, until, before, limit }: ActFilter): Promise<StoredAct[]> {
    let query = this.#store.db.selectFrom('acts').selectAll();
    if (act !== undefined)
      query = query.where(({ or, eb }) => or([eb('act', '=', act), eb('act', 'like', `${likeText(act)}.%`)]));
    if (person !== undefined) query = query.where('person', '=', person);
    if (since !== undefined) query = query.where('at', '>=', since);
    if (until !== undefined) query = query.where('at', '<', until);
    if (before !== undefined) query = query.where('seq', '<', before);
    return query.orderBy('seq', 'desc').limit(limit).execute();
  }

  async #tidy(): Promise<void> {
    const { db } = this.#store;
    await db
      .deleteFrom('acts')
      .where('at', '<', Date.now() - KEEP_MS)
      .execute();
    const newest = await db.selectFrom('acts').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
    if (newest)
      await db
        .deleteFrom('acts')
        .where('seq', '<=', Number(newest.seq) - MAX_ACTS)
        .execute();
  }
}

/** Nobody searches with a pattern of their own. */
function likeText(text: string): string {
  return text.replace(/[%_\\]/g, '');
}
