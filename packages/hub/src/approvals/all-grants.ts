/**
 * What was allowed for always at this hub, and in terminals that work on the same data directory: one list, so that an answer
 * counts wherever it was given, and is taken back in one place.
 */
import type { Grant, GrantShelf } from '@junctor/core';

export interface AllGrantsOptions {
  /** Where the hub keeps its own. */
  readonly rows: GrantShelf;
  /** Where commands keep theirs: `grants.json`. */
  readonly file: GrantShelf;
  readonly onProblem: (sentence: string) => void;
}

export class AllGrants implements GrantShelf {
  readonly #options: AllGrantsOptions;
  #unreadable: string | undefined;

  constructor(options: AllGrantsOptions) {
    this.#options = options;
  }

  async read(): Promise<readonly Grant[]> {
    return [...(await this.#atTerminals()), ...(await this.#options.rows.read())];
  }

  async change(edit: (grants: readonly Grant[]) => readonly Grant[]): Promise<void> {
    const { rows, file } = this.#options;
    const there = await this.#atTerminals();
    const ids = new Set(there.map(({ id }) => id));
    let kept = there;
    await rows.change(own => {
      const edited = edit([...there, ...own]);
      kept = edited.filter(({ id }) => ids.has(id));
      return edited.filter(({ id }) => !ids.has(id));
    });
    for (const { id } of kept) ids.delete(id);
    if (ids.size > 0) await file.change(grants => grants.filter(({ id }) => !ids.has(id)));
  }

  /** A file that cannot be read grants nothing; what the hub keeps still counts. */
  async #atTerminals(): Promise<readonly Grant[]> {
    try {
      const grants = await this.#options.file.read();
      this.#unreadable = undefined;
      return grants;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#unreadable) this.#options.onProblem(message);
      this.#unreadable = message;
      return [];
    }
  }
}
