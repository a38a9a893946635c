/**
 * A map for what comes and goes by the thousand, such as requests that wait for an answer. A plain `Map` is moved to a new
 * table every so often, and the old table, with all that was in it then, points to the new one. Once one of them was taken
 * for old, the garbage collector keeps all that follow it, and whatever was ever in them, until it looks through the whole
 * heap. Here such a table holds on to an empty place only.
 */
export class Passing<Key, Value> {
  readonly #places = new Map<Key, Place<Value>>();

  get size(): number {
    return this.#places.size;
  }

  has(key: Key): boolean {
    return this.#places.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#places.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    this.#places.set(key, { value });
  }

  /** Removes what is there, and gives it back. */
  take(key: Key): Value | undefined {
    const place = this.#places.get(key);
    if (!place) return undefined;
    this.#places.delete(key);
    const { value } = place;
    place.value = undefined;
    return value;
  }

  /** In the order in which they came. What comes or goes meanwhile does no harm. */
  entries(): [Key, Value][] {
    return Array.from(this.#places, ([key, { value }]) => [key, value as Value]);
  }

  values(): Value[] {
    return Array.from(this.#places.values(), ({ value }) => value as Value);
  }

  clear(): void {
    for (const key of [...this.#places.keys()]) this.take(key);
  }
}

interface Place<Value> {
  value: Value | undefined;
}
