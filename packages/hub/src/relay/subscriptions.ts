/** Who wants to hear of which resource of one server. The server is asked once, however many want it. */
import { isObject, type Link, META } from '@junctor/core/internal';

export interface Subscriber {
  /** `params`: all that the server says of it. */
  updated(server: string, params: object): void;
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

  tell(server: string, uri: string, params: object): void {
    const subscribers = this.#byUri.get(uri);
    if (!subscribers) return;
    const about = withoutSubscription(params);
    for (const subscriber of subscribers) subscriber.updated(server, about);
  }
}

/** The id of a stream between the hub and the server says nothing to a client, which may have streams of its own. */
function withoutSubscription(params: object): object {
  const { _meta, ...rest } = params as { readonly _meta?: unknown };
  if (!isObject(_meta) || !(META.subscriptionId in _meta)) return params;
  const { [META.subscriptionId]: _, ...others } = _meta;
  return Object.keys(others).length > 0 ? { ...rest, _meta: others } : rest;
}
