/** What agents have on executors other than this machine, one for each pair: opened once, however many ask. */
export class Elsewhere<Seat> {
  readonly #open: (agent: string | undefined, executor: string) => Promise<Seat>;
  readonly #seats = new Map<string, Seat>();
  readonly #opening = new Map<string, Promise<unknown>>();

  constructor(open: (agent: string | undefined, executor: string) => Promise<Seat>) {
    this.#open = open;
  }

  get all(): readonly Seat[] {
    return [...this.#seats.values()];
  }

  get(agent: string | undefined, executor: string): Seat | undefined {
    return this.#seats.get(keyOf(agent, executor));
  }

  /** Undefined: it is open. */
  open(agent: string | undefined, executor: string): Promise<unknown> | undefined {
    const key = keyOf(agent, executor);
    if (this.#seats.has(key)) return undefined;
    const known = this.#opening.get(key);
    if (known) return known;
    const opening = this.#open(agent, executor)
      .then(seat => this.#seats.set(key, seat))
      .finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    return opening;
  }

  /** Waits for what is being opened, so that it can be closed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
  }
}

function keyOf(agent: string | undefined, executor: string): string {
  return `${executor} ${agent ?? ''}`;
}
