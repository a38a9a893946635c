/** A bounded number of things at once; the rest waits its turn, first come first served. */
export class Slots {
  #count: number;
  /** Below 0 while more are at it than there may be by now. */
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  /** Nothing that began is ended for it. */
  resize(count: number): void {
    this.#free += count - this.#count;
    this.#count = count;
    this.#begin();
  }

  /** Whoever gives up while waiting does not begin: it fails at once with the reason of the signal. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      this.#free++;
      this.#begin();
    }
  }

  #begin(): void {
    for (; this.#free > 0 && this.#waiting.length > 0; this.#free--) this.#waiting.shift()?.();
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal?.reason);
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(begin);
    });
  }
}

/** How many servers begin at once: processes of this machine, and connections to others. */
export interface StartSlots {
  readonly local: Slots;
  readonly remote: Slots;
}

export const DEFAULT_LOCAL_AT_ONCE = 3;
export const DEFAULT_REMOTE_AT_ONCE = 20;
