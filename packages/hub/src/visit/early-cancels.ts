/**
 * A client that calls and thinks better of it at once sends two requests on two connections, and the second may be here
 * first. What was given up before it came is not begun.
 */

/** So long a request may be on its way after the word that it is given up. */
const ON_ITS_WAY_MS = 2000;

/** So many ids at least are known of those that came: a word about one of them comes too late, and means no later request. */
const MAX_KNOWN = 256;

export class EarlyCancels {
  /** When each was given up. */
  readonly #givenUp = new Map<string, number>();
  #came = new Set<string>();
  /** Those that came before them: all are forgotten at once, which costs a request less than forgetting one. */
  #cameBefore: ReadonlySet<string> = new Set();

  /** A request was given up that does not run. */
  note(key: string): void {
    if (this.#came.has(key) || this.#cameBefore.has(key)) return;
    this.#givenUp.set(key, performance.now());
    const [oldest] = this.#givenUp.keys();
    if (this.#givenUp.size > MAX_KNOWN && oldest !== undefined) this.#givenUp.delete(oldest);
  }

  /** A request has come. True where it was given up before that. */
  came(key: string): boolean {
    if (this.#came.size >= MAX_KNOWN) {
      this.#cameBefore = this.#came;
      this.#came = new Set();
    }
    this.#came.add(key);
    if (this.#givenUp.size === 0) return false;
    const at = this.#givenUp.get(key);
    if (at === undefined) return false;
    this.#givenUp.delete(key);
    return performance.now() - at < ON_ITS_WAY_MS;
  }
}
