/** What is told of an event. It may be async: nobody waits for it. */
type Listener<Event> = (event: Event) => void;

/**
 * Events of one host, typed by their `type`. A listener tells; it never steers: what it throws, at once or later, goes to
 * `onListenerError`.
 */
export class Bus<Event extends { readonly type: string }> {
  readonly #listeners = new Set<Listener<Event>>();
  readonly #onListenerError: (error: unknown, event: Event) => void;

  constructor(onListenerError: (error: unknown, event: Event) => void = () => {}) {
    this.#onListenerError = onListenerError;
  }

  /** True when somebody listens: lets a hot path skip building an event. */
  heard = false;

  emit(event: Event): void {
    for (const listener of this.#listeners) {
      try {
        const told: unknown = listener(event);
        // Left alone, a promise that is rejected would end the whole program.
        if (told instanceof Promise) told.catch(error => this.#onListenerError(error, event));
      } catch (error) {
        this.#onListenerError(error, event);
      }
    }
  }

  /** Listens to all events; the returned function stops. */
  listen(listener: Listener<Event>): () => void {
    this.#listeners.add(listener);
    this.heard = true;
    return () => {
      this.#listeners.delete(listener);
      this.heard = this.#listeners.size > 0;
    };
  }

  /** Listens to one kind of event. */
  on<Type extends Event['type']>(type: Type, listener: Listener<Extract<Event, { type: Type }>>): () => void {
    return this.listen(event => {
      if (event.type === type) return listener(event as Extract<Event, { type: Type }>);
    });
  }
}
