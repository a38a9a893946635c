/** Answers of REST that are under way, by whose they are. A stream may last for days: it ends with the token it was opened with. */
import type { ServerResponse } from 'node:http';

export class OpenAnswers {
  readonly #open = new Map<string, Set<AbortController>>();

  /** The signal is aborted when nobody waits for this answer any more, or nobody may. */
  open(principal: string, response: ServerResponse): AbortSignal {
    const gone = new AbortController();
    // Whoever left while we found out who it is.
    if (response.closed) {
      gone.abort();
      return gone.signal;
    }
    const theirs = this.#open.get(principal) ?? new Set();
    this.#open.set(principal, theirs.add(gone));
    response.once('close', () => {
      gone.abort();
      if (theirs.delete(gone) && theirs.size === 0) this.#open.delete(principal);
    });
    return gone.signal;
  }

  sendAway(principals: ReadonlySet<string>): void {
    for (const principal of principals) for (const gone of this.#open.get(principal) ?? []) gone.abort();
  }
}
