/** Remembers for a while what was used, so that nothing counts twice. Full, it lets nothing more through. */
export interface UsedOnceOptions {
  /** Each is remembered at least so long. */
  readonly keepMs: number;
  /** So many at most in that time. */
  readonly max: number;
  readonly now: () => number;
}

export class UsedOnce {
  readonly #options: UsedOnceOptions;
  #recent = new Set<string>();
  #older = new Set<string>();
  #since: number;

  constructor(options: UsedOnceOptions) {
    this.#options = options;
    this.#since = options.now();
  }

  /** False for the second use, and while too many are remembered. */
  first(what: string): boolean {
    const { keepMs, max, now } = this.#options;
    const aged = now() - this.#since;
    if (aged >= keepMs) {
      this.#older = aged < 2 * keepMs ? this.#recent : new Set();
      this.#recent = new Set();
      this.#since = now();
    }
    if (this.#recent.size >= max || this.#recent.has(what) || this.#older.has(what)) return false;
    this.#recent.add(what);
    return true;
  }
}
