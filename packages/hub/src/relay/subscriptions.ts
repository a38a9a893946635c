/** Who wants to hear of which resource of one server. The server is asked once, however many want it. */
import type { Link } from '@junctor/core/inside';

export interface Subscriber {
  updated(server: string, uri: string): void;
}

export class Subscriptions {
  readonly #byUri = new Map<string, Set<Subscriber>>();

  get size(): number {
    return this.#byUri.size;
  }

  async add(uri: string, subscriber: Subscriber, link: Link): Promise<void> {
    const known = this.#byUri.get(uri);
    if (known) {
      known.add(subscriber);
      return;
    }
    // Noted only once the server agreed: what it refuses nobody has subscribed to.
    await link.subscribe(uri);
    this.#byUri.set(uri, (this.#byUri.get(uri) ?? new Set()).add(subscriber));
  }

  async remove(uri: string, subscriber: Subscriber, link: Link | undefined): Promise<void> {
    const known = this.#byUri.get(uri);
    if (!known?.delete(subscriber) || known.size > 0) return;
    this.#byUri.delete(uri);
    await link?.unsubscribe(uri);
  }

  /** A subscriber is gone. */
  removeAll(subscriber: Subscriber, link: Link | undefined): void {
    for (const uri of [...this.#byUri.keys()]) this.remove(uri, subscriber, link).catch(() => {});
  }

  /** A new connection knows nothing of what was subscribed to on the last. */
  renew(link: Link): void {
    for (const uri of this.#byUri.keys()) link.subscribe(uri).catch(() => {});
  }

  tell(server: string, uri: string): void {
    for (const subscriber of this.#byUri.get(uri) ?? []) subscriber.updated(server, uri);
  }
}
