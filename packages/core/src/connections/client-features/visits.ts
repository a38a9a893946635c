/** Pages that people were sent to: which of them a call waits for, and which are done. */

interface Visit {
  readonly completed: Promise<void>;
  complete(): void;
  holdsCall: boolean;
}

/** A server may never say that somebody is done. Beyond so many, the oldest are no longer waited for. */
const MOST_REMEMBERED = 200;

export class Visits {
  readonly #visits = new Map<string, Visit>();

  /** Settles when the server says that the person is done there. */
  completionOf(server: string, id: string | undefined): Promise<void> {
    return id === undefined ? new Promise(() => {}) : this.#visit(server, id).completed;
  }

  /** A call stands still until the person was there. */
  holdCall(server: string, id: string): void {
    this.#visit(server, id).holdsCall = true;
  }

  holdsCall(server: string, id: string | undefined): boolean {
    return id !== undefined && (this.#visits.get(keyOf(server, id))?.holdsCall ?? false);
  }

  /** False for a page nobody was sent to, or that is done already. */
  complete(server: string, id: string): boolean {
    const key = keyOf(server, id);
    this.#visits.get(key)?.complete();
    return this.#visits.delete(key);
  }

  #visit(server: string, id: string): Visit {
    const key = keyOf(server, id);
    const known = this.#visits.get(key);
    if (known) return known;
    const { promise, resolve } = Promise.withResolvers<void>();
    const visit = { completed: promise, complete: resolve, holdsCall: false };
    this.#visits.set(key, visit);
    const [oldest] = this.#visits.keys();
    if (this.#visits.size > MOST_REMEMBERED && oldest !== undefined) this.#visits.delete(oldest);
    return visit;
  }
}

function keyOf(server: string, id: string): string {
  return `${server}\0${id}`;
}
