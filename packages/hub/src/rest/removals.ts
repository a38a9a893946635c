/** What was taken out of config files a moment ago: it can be put back as it was, comments and place included. */

export interface Removal {
  readonly id: string;
  readonly file: string;
  /** The whole text of the file, before and after. */
  readonly before: string;
  readonly after: string;
  readonly at: number;
}

/** Whoever took out the wrong server notices soon. Texts of files are kept for that long, and no longer. */
const KEPT_MS = 10 * 60_000;
const MOST = 20;

export class Removals {
  #kept: readonly Removal[] = [];

  note(removal: Omit<Removal, 'at'>): void {
    const others = this.recent.filter(({ id }) => id !== removal.id);
    this.#kept = [{ ...removal, at: Date.now() }, ...others].slice(0, MOST);
  }

  /** Newest first. */
  get recent(): readonly Removal[] {
    const since = Date.now() - KEPT_MS;
    this.#kept = this.#kept.filter(({ at }) => at > since);
    return this.#kept;
  }

  find(id: string): Removal | undefined {
    return this.recent.find(one => one.id === id);
  }

  forget(id: string): void {
    this.#kept = this.#kept.filter(one => one.id !== id);
  }
}
