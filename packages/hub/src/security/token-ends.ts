/**
 * Tokens of an issuer and logins to the page end by themselves. What stays open for as long as its client likes must not outlive
 * them: it ends once its owner has shown none that lasts longer.
 */
import type { Known } from './identity.ts';

/** Whose it is, and until when what they showed is good; undefined: until it is revoked. */
export type Owner = Pick<Known, 'principal' | 'until'>;

/** So many owners are remembered; then those whose time is over are forgotten. */
const MAX_OWNERS = 1000;

/** A timer that is set further ahead would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class TokenEnds {
  readonly #latest = new Map<string, number>();

  /** Somebody showed something that is good until then. */
  seen({ principal, until }: Owner): void {
    if (until === undefined || until <= (this.#latest.get(principal) ?? 0)) return;
    if (this.#latest.size >= MAX_OWNERS) this.#forgetPast();
    this.#latest.set(principal, until);
  }

  /** Calls `end` when nothing that its owner showed is good any more. The returned function stops. */
  follow({ principal, until }: Owner, end: () => void): () => void {
    if (until === undefined) return () => {};
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const left = Math.max(until, this.#latest.get(principal) ?? 0) - Date.now();
      if (left <= 0) end();
      else timer = setTimeout(wait, Math.min(left, LONGEST_TIMER_MS)).unref();
    };
    timer = setTimeout(wait, 0).unref();
    return () => clearTimeout(timer);
  }

  #forgetPast(): void {
    const now = Date.now();
    for (const [principal, until] of this.#latest) if (until <= now) this.#latest.delete(principal);
  }
}

export const TOKEN_ENDED = 'the token has ended';
