/** How often somebody may ask: a bucket that fills steadily and is emptied by requests. */

export interface RateLimitOptions {
  /** How many a second, for long. */
  readonly perSecond: number;
  /** How many at once, after a pause. */
  readonly burst: number;
}

/** So many buckets are kept; then those that are full again are forgotten. */
const MAX_BUCKETS = 10_000;

export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Takes one request of this owner. Returns the seconds to wait where there were too many; undefined where not. */
  take(owner: string, now: number = performance.now()): number | undefined {
    const { perSecond, burst } = this.#options;
    const bucket = this.#buckets.get(owner) ?? this.#open(owner, now);
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.left < 1) return Math.max(1, Math.ceil((1 - bucket.left) / perSecond));
    bucket.left--;
    return undefined;
  }

  /** Whether the next `take` would have to wait. Takes nothing. */
  isEmpty(owner: string, now: number = performance.now()): boolean {
    const bucket = this.#buckets.get(owner);
    return bucket !== undefined && bucket.left + ((now - bucket.at) / 1000) * this.#options.perSecond < 1;
  }

  #open(owner: string, now: number): { left: number; at: number } {
    if (this.#buckets.size >= MAX_BUCKETS) this.#forgetFull(now);
    const bucket = { left: this.#options.burst, at: now };
    this.#buckets.set(owner, bucket);
    return bucket;
  }

  /** A full bucket is as good as a new one. Where none is full, whoever floods us with names gets what it wants: all are new. */
  #forgetFull(now: number): void {
    const { perSecond, burst } = this.#options;
    for (const [owner, { left, at }] of this.#buckets)
      if (left + ((now - at) / 1000) * perSecond >= burst) this.#buckets.delete(owner);
    if (this.#buckets.size >= MAX_BUCKETS) this.#buckets.clear();
  }
}
