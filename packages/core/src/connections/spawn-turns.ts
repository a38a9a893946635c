/**
 * Lets one process start in each turn of the event loop. Starting one blocks the loop for as long as it takes: many in one turn
 * would leave every client without an answer.
 */
export class SpawnTurns {
  readonly #queue: (() => void)[] = [];
  #taken = false;

  /** Undefined: this turn is free, and taken from now on. */
  next(): Promise<void> | undefined {
    if (this.#taken) return new Promise(begin => this.#queue.push(begin));
    this.#take();
    return undefined;
  }

  #take(): void {
    this.#taken = true;
    setImmediate(() => {
      this.#taken = false;
      const begin = this.#queue.shift();
      if (!begin) return;
      this.#take();
      begin();
    });
  }
}
