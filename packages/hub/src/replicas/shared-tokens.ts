/**
 * Tokens of hubs on one database: a token that is made or revoked at one of them is so at all. Each keeps them all in the file
 * of its data directory too, where its own commands make and revoke them, and from where they are good while the database is
 * away. The file remembers what was in common, so that either side knows what the other did meanwhile.
 */
import type { Store } from '../store/store.ts';
import type { TokenBook } from '../store/token-book.ts';
import type { TokenDocument } from '../store/token-document.ts';
import { TokenRows } from '../store/token-rows.ts';
import { inWords } from './in-words.ts';
import type { Notices } from './notices.ts';

export interface SharedTokensOptions {
  readonly store: Store;
  /** Its name: see `databaseName`. */
  readonly database: string;
  readonly notices: Notices;
  readonly book: TokenBook;
  readonly onProblem: (sentence: string) => void;
}

/** How soon what a command wrote to the file is known to the other hubs. */
const LOOK_EVERY_MS = 1000;

export class SharedTokens implements Disposable {
  readonly #options: SharedTokensOptions;
  readonly #rows: TokenRows;
  readonly #timer: NodeJS.Timeout;
  readonly #deaf: () => void;
  #seen = '';
  #running: Promise<void> | undefined;
  #again: Promise<void> | undefined;
  /** Said once: it is tried again every second. */
  #failing = false;

  private constructor(options: SharedTokensOptions) {
    this.#options = options;
    this.#rows = new TokenRows(options.store);
    this.#deaf = options.notices.on('tokens', () => this.bringTogether());
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  static async open(options: SharedTokensOptions): Promise<SharedTokens> {
    const shared = new SharedTokens(options);
    await shared.bringTogether();
    options.book.shareBy(() => shared.bringTogether());
    return shared;
  }

  /** Never fails: tokens of the file stay good where the database does not answer. */
  bringTogether(): Promise<void> {
    // What was asked for while one runs may be newer than what it has read.
    if (this.#running) this.#again ??= this.#running.then(() => this.bringTogether());
    this.#running ??= this.#once();
    return this.#again ?? this.#running;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#deaf();
  }

  #look(): void {
    if (this.#options.book.version !== this.#seen) void this.bringTogether();
  }

  async #once(): Promise<void> {
    const { database, book, notices, onProblem } = this.#options;
    let changed = false;
    try {
      await book.edit(async file => {
        const { made, revoked } = doneHere(file, database);
        changed = made.length + revoked.length > 0;
        if (changed) await this.#rows.change(made, revoked);
        const tokens = await this.#rows.all();
        return { tokens, shared: tokens.map(({ sha256 }) => sha256), shared_in: database };
      });
      this.#seen = book.version;
      this.#failing = false;
      if (changed) await notices.tell('tokens');
    } catch (error) {
      if (!this.#failing) onProblem(`tokens are not brought together with those of other hubs: ${inWords(error)}`);
      this.#failing = true;
    } finally {
      this.#running = undefined;
      this.#again = undefined;
    }
  }
}

/** A database that the file was never brought together with lacks what is in it because nobody told it, not by revocation. */
function doneHere(file: TokenDocument, database: string) {
  const { tokens } = file;
  const shared = (file.shared_in === database && file.shared) || [];
  const [known, here] = [new Set(shared), new Set(tokens.map(({ sha256 }) => sha256))];
  return {
    made: tokens.filter(({ sha256 }) => !known.has(sha256)),
    revoked: shared.filter(digest => !here.has(digest)),
  };
}
