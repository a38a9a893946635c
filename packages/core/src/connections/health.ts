/**
 * Pings a server now and then. Two missed pings in a row, and it counts as gone. A ping is missed only where nothing else came
 * meanwhile and no request is in flight: a busy server may answer late, and requests end by their own limits.
 */

import { isJunctorError } from '../base/error.ts';
import { monotonicMs } from '../base/time/monotonic.ts';
import type { Link } from './link.ts';
import type { Pace } from './pace.ts';
import { request } from './rpc/request.ts';

const MISSES_ALLOWED = 2;

export class HealthWatch {
  readonly #link: Link;
  readonly #pace: Pace;
  readonly #stopFollowing: () => void;
  readonly #onGone: () => void;
  #timer: NodeJS.Timeout | undefined;
  #misses = 0;
  /** How many messages had come when the last pause began. */
  #receivedBefore = 0;
  #latencyMs: number | undefined;
  #over = false;

  constructor(link: Link, pace: Pace, onGone: () => void) {
    this.#link = link;
    this.#pace = pace;
    this.#onGone = onGone;
    this.#wait();
    // What waits is to wait as long as it says now; what was asked is waited for as it was.
    this.#stopFollowing = pace.onChange(() => this.#timer && this.#wait());
  }

  /** How long the last life sign took; undefined before the first. */
  get latencyMs(): number | undefined {
    return this.#latencyMs;
  }

  end(): void {
    this.#over = true;
    this.#stopFollowing();
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#receivedBefore = this.#link.conversation.received;
    // A watch must not keep a program from ending.
    this.#timer = setTimeout(() => void this.#ping(), this.#pace.numbers.pingIntervalMs).unref();
  }

  async #ping(): Promise<void> {
    const { pingTimeoutMs } = this.#pace.numbers;
    this.#timer = undefined;
    // The newer era has no ping; asking what the server can do costs as little.
    const method = this.#link.greeting.era === 'modern' ? 'server/discover' : 'ping';
    const askedAt = monotonicMs();
    try {
      await request(this.#link.conversation, method, {}, { idleMs: pingTimeoutMs, totalMs: pingTimeoutMs });
      this.#latencyMs = monotonicMs() - askedAt;
      this.#misses = 0;
    } catch (error) {
      const { received, awaitsAnswers } = this.#link.conversation;
      if (!isMiss(error) || received !== this.#receivedBefore) this.#misses = 0;
      else if (!awaitsAnswers) this.#misses++;
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
