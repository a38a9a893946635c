/** A bounded number of things at once; the rest waits its turn, first come first served. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Whoever gave up while waiting does not begin: it fails with the reason of the signal. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

/** How many servers begin at once: processes of this machine, and connections to others. */
export interface StartSlots {
  readonly local: Slots;
  readonly remote: Slots;
}

export const DEFAULT_LOCAL_AT_ONCE = 3;
export const DEFAULT_REMOTE_AT_ONCE = 20;
