/** Asks a quiet server now and then whether it is still there. Two silences in a row, and it counts as gone. */
import { isJunctorError } from '../base/error.ts';
import type { Link } from './link.ts';
import { request } from './request.ts';

export interface HealthOptions {
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
}

const MISSES_ALLOWED = 2;

export class HealthWatch {
  readonly #link: Link;
  readonly #options: HealthOptions;
  readonly #onGone: () => void;
  #timer: NodeJS.Timeout | undefined;
  #misses = 0;
  #over = false;

  constructor(link: Link, options: HealthOptions, onGone: () => void) {
    this.#link = link;
    this.#options = options;
    this.#onGone = onGone;
    this.#wait();
  }

  end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    // A watch must not keep a program from ending.
    this.#timer = setTimeout(() => void this.#ping(), this.#options.pingIntervalMs).unref();
  }

  async #ping(): Promise<void> {
    const { pingTimeoutMs } = this.#options;
    try {
      await request(this.#link.conversation, 'ping', {}, { idleMs: pingTimeoutMs, totalMs: pingTimeoutMs });
      this.#misses = 0;
    } catch (error) {
      // An error is an answer too: only silence counts.
      this.#misses = isJunctorError(error, 'timeout') ? this.#misses + 1 : 0;
    }
    if (this.#over) return;
    if (this.#misses >= MISSES_ALLOWED) this.#onGone();
    else this.#wait();
  }
}
