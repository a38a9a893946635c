/** Something that is done every second, one after the other, and how long it has gone well without a break. */

/** A hub that is silent for three of them may be taken for gone. */
const EVERY_MS = 1000;

/** One that takes longer than this has failed, whatever becomes of it. */
const STEADY_MS = 5000;

export class Heartbeat {
  readonly #beat: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #ended = false;
  #since = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  constructor(beat: () => Promise<void>) {
    this.#beat = beat;
  }

  /** 0 where the last one failed, or was long ago. */
  get steadyMs(): number {
    const now = performance.now();
    return now - this.#last > STEADY_MS ? 0 : now - this.#since;
  }

  begin(): void {
    this.#since = this.#last = performance.now();
    this.#next();
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #next(): void {
    if (this.#ended) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#once();
    }, EVERY_MS).unref();
  }

  async #once(): Promise<void> {
    const late = performance.now() - this.#last > STEADY_MS;
    try {
      await this.#beat();
      this.#last = performance.now();
      if (late) this.#since = this.#last;
    } catch {
      // The database does not answer; /readyz tells that. It is tried again.
      this.#since = Number.POSITIVE_INFINITY;
      this.#last = Number.NEGATIVE_INFINITY;
    }
    this.#next();
  }
}
