/** Events of one host, typed by their `type`. A listener tells; it never steers: what it throws goes to `onListenerError`. */
export class Bus<Event extends { readonly type: string }> {
  readonly #listeners = new Set<(event: Event) => void>();
  readonly #onListenerError: (error: unknown, event: Event) => void;

  constructor(onListenerError: (error: unknown, event: Event) => void = () => {}) {
    this.#onListenerError = onListenerError;
  }

  /** True when somebody listens: lets a hot path skip building an event. */
  heard = false;

  emit(event: Event): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#onListenerError(error, event);
      }
    }
  }

  /** Listens to all events; the returned function stops. */
  listen(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    this.heard = true;
    return () => {
      this.#listeners.delete(listener);
      this.heard = this.#listeners.size > 0;
    };
  }

  /** Listens to one kind of event. */
  on<Type extends Event['type']>(type: Type, listener: (event: Extract<Event, { type: Type }>) => void): () => void {
    return this.listen(event => {
      if (event.type === type) listener(event as Extract<Event, { type: Type }>);
    });
  }
}
