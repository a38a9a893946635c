/**
 * A client that calls and thinks better of it at once sends two requests on two connections, and the second may be here
 * first. What was given up before it came is not begun.
 */

/** So long a request may be on its way after the word that it is given up. */
const ON_ITS_WAY_MS = 2000;

/** So many ids are known of those that came: a word about one of them comes too late, and means no later request. */
const MAX_KNOWN = 256;

export class EarlyCancels {
  /** When each was given up. */
  readonly #givenUp = new Map<string, number>();
  readonly #came = new Set<string>();

  /** A request was given up that does not run. */
  note(key: string): void {
    if (this.#came.has(key)) return;
    this.#givenUp.set(key, performance.now());
    dropOldest(this.#givenUp);
  }

  /** A request has come. True where it was given up before that. */
  came(key: string): boolean {
    this.#came.add(key);
    dropOldest(this.#came);
    const at = this.#givenUp.get(key);
    if (at === undefined) return false;
    this.#givenUp.delete(key);
    return performance.now() - at < ON_ITS_WAY_MS;
  }
}

function dropOldest(known: Map<string, unknown> | Set<string>): void {
  if (known.size <= MAX_KNOWN) return;
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}
