/** When each stored token was last used. Written down now and then: a request must not wait for the database. */
import { waitAtMost } from '@junctor/core/internal';
import type { Store } from './store.ts';
import type { TokenBook } from './token-book.ts';

/** How late a use may be written down. */
const WRITE_EVERY_MS = 30_000;
const CLOSE_WITHIN_MS = 1000;

export class TokenUses {
  readonly #store: Store;
  readonly #tokens: TokenBook;
  readonly #onProblem: (sentence: string) => void;
  readonly #timer: NodeJS.Timeout;
  #failing = false;

  constructor(store: Store, tokens: TokenBook, onProblem: (sentence: string) => void) {
    this.#store = store;
    this.#tokens = tokens;
    this.#onProblem = onProblem;
    this.#timer = setInterval(() => void this.#write(), WRITE_EVERY_MS).unref();
  }

  /** By digest. */
  async all(): Promise<ReadonlyMap<string, number>> {
    await this.#write();
    const rows = await this.#store.db.selectFrom('token_uses').selectAll().execute();
    return new Map(rows.map(({ sha256, used }) => [sha256, Number(used)]));
  }

  /** Does not wait for a database that is silent: a last use is not worth a hub that does not end. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await waitAtMost(CLOSE_WITHIN_MS, this.#write());
  }

  async #write(): Promise<void> {
    const used = Date.now();
    const rows = this.#tokens.takeUsed().map(sha256 => ({ sha256, used }));
    if (rows.length === 0) return;
    try {
      await this.#store.db
        .insertInto('token_uses')
        .values(rows)
        .onConflict(conflict => conflict.column('sha256').doUpdateSet({ used }))
        .execute();
      await this.#forgetGone();
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#onProblem(`the last use of tokens is not written down: ${(error as Error).message}`);
      this.#failing = true;
    }
  }

  async #forgetGone(): Promise<void> {
    const rows = await this.#store.db.selectFrom('token_uses').select('sha256').execute();
    const gone = rows.map(({ sha256 }) => sha256).filter(digest => !this.#tokens.isGood(digest));
    if (gone.length > 0) await this.#store.db.deleteFrom('token_uses').where('sha256', 'in', gone).execute();
  }
}
