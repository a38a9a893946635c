/**
 * How often, how long and how many at once, for the links of one host. A config that changes changes it in place: what comes
 * next goes by it.
 */
import type { Backoff } from './backoff.ts';
import { Slots, type StartSlots } from './slots.ts';

export interface PaceNumbers {
  /** How often in a row a server is tried. */
  readonly attempts: number;
  /** How long it waits between these attempts. */
  readonly backoff: Backoff;
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  /** How often a quiet connection to a remote server is kept open with a sign. */
  readonly keepAliveMs: number;
  /** How many servers begin at once. */
  readonly localAtOnce: number;
  readonly remoteAtOnce: number;
  /** How long a process counts as beginning: until it runs, or until it has answered. */
  readonly slotUntil: 'spawned' | 'ready';
}

export class Pace {
  readonly slots: StartSlots;
  #numbers: PaceNumbers;
  readonly #changed = new Set<() => void>();

  constructor(numbers: PaceNumbers) {
    this.#numbers = numbers;
    this.slots = { local: new Slots(numbers.localAtOnce), remote: new Slots(numbers.remoteAtOnce) };
  }

  get numbers(): PaceNumbers {
    return this.#numbers;
  }

  change(numbers: PaceNumbers): void {
    this.#numbers = numbers;
    this.slots.local.resize(numbers.localAtOnce);
    this.slots.remote.resize(numbers.remoteAtOnce);
    for (const listener of this.#changed) listener();
  }

  /** For whoever waits by it now. The returned function stops. */
  onChange(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }
}
