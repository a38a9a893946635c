/** Answers of REST that are under way, by whose they are. A stream may last for days: it ends with the token it was opened with. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Owner, TokenEnds } from '../security/token-ends.ts';

export class OpenAnswers {
  readonly #ends: TokenEnds;
  readonly #open = new Map<string, Set<AbortController>>();

  constructor(ends: TokenEnds) {
    this.#ends = ends;
  }

  /** The signal is aborted when nobody waits for this answer any more, or nobody may. */
  open(whose: Owner, { method }: IncomingMessage, response: ServerResponse): AbortSignal {
    const { principal } = whose;
    const gone = new AbortController();
    // Whoever left while we found out who it is.
    if (response.closed) {
      gone.abort();
      return gone.signal;
    }
    const theirs = this.#open.get(principal) ?? new Set();
    this.#open.set(principal, theirs.add(gone));
    // What was asked for in time is done to its end; what only tells goes on for as long as they may be told.
    const stop = method === 'GET' ? this.#ends.follow(whose, () => gone.abort()) : () => {};
    response.once('close', () => {
      stop();
      gone.abort();
      if (theirs.delete(gone) && theirs.size === 0) this.#open.delete(principal);
    });
    return gone.signal;
  }

  sendAway(principals: ReadonlySet<string>): void {
    for (const principal of principals) for (const gone of this.#open.get(principal) ?? []) gone.abort();
  }
}
