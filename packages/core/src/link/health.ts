/** Asks a quiet server now and then whether it is still there. Two silences in a row, and it counts as gone. */
import { isJunctorError } from '../base/error.ts';
import type { Link } from './link.ts';
import { request } from './request.ts';

export interface HealthOptions {
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  /** How often a quiet connection to a remote server is kept open with a sign. */
  readonly keepAliveMs: number;
}

const MISSES_ALLOWED = 2;

export class HealthWatch {
  readonly #link: Link;
  readonly #options: HealthOptions;
  readonly #onGone: () => void;
  #timer: NodeJS.Timeout | undefined;
  #misses = 0;
  #latencyMs: number | undefined;
  #over = false;

  constructor(link: Link, options: HealthOptions, onGone: () => void) {
    this.#link = link;
    this.#options = options;
    this.#onGone = onGone;
    this.#wait();
  }

  /** How long the last life sign took; undefined before the first. */
  get latencyMs(): number | undefined {
    return this.#latencyMs;
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
    // The newer era has no ping; asking what the server can do costs as little.
    const method = this.#link.greeting.era === 'modern' ? 'server/discover' : 'ping';
    const askedAt = performance.now();
    try {
      await request(this.#link.conversation, method, {}, { idleMs: pingTimeoutMs, totalMs: pingTimeoutMs });
      this.#latencyMs = performance.now() - askedAt;
      this.#misses = 0;
    } catch (error) {
      this.#misses = isMiss(error) ? this.#misses + 1 : 0;
    }
    if (this.#over) return;
    if (this.#misses >= MISSES_ALLOWED) this.#onGone();
    else this.#wait();
  }
}

/** What stands before a server answers so when the server is not there. */
const NOBODY_BEHIND = new Set<unknown>([502, 503, 504]);

/** An error is an answer too. Only silence counts, and a server that is not there. */
function isMiss(error: unknown): boolean {
  if (isJunctorError(error, 'timeout')) return true;
  if (!isJunctorError(error, 'connection_failed') && !isJunctorError(error, 'connection_lost')) return false;
  const { status, code } = (error.cause ?? {}) as { status?: unknown; code?: unknown };
  return typeof code === 'string' || NOBODY_BEHIND.has(status);
}
