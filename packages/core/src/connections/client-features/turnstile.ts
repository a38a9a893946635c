/** Lets a few through at a time, counted for each server: what one server asks for never keeps another waiting. */
export class Turnstile {
  readonly #most: number;
  readonly #inside = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Runs the work, or returns `full` at once where too much of this server runs already. */
  async pass<T, Full>(server: string, full: () => Full, work: () => Promise<T>): Promise<T | Full> {
    const inside = this.#inside.get(server) ?? 0;
    if (inside >= this.#most) return full();
    this.#inside.set(server, inside + 1);
    try {
      return await work();
    } finally {
      const left = (this.#inside.get(server) ?? 1) - 1;
      if (left > 0) this.#inside.set(server, left);
      else this.#inside.delete(server);
    }
  }
}
