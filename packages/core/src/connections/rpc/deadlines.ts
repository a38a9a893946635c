/**
 * One timer for any number of waits. A timer per request costs more than the rest of a small call; most requests are
 * answered long before their time, and then nothing but a comparison was spent on it.
 */
import { monotonicMs } from '../../base/time/monotonic.ts';

export class Deadlines {
  readonly #sweep: (now: number) => number;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  /** What came while this program stood still is being read. */
  #reading = false;

  /** `sweep` ends what is overdue and returns when it wants to be called next, Infinity for never. */
  constructor(sweep: (now: number) => number) {
    this.#sweep = sweep;
  }

  /** Makes sure that the sweep comes no later than this. */
  expect(dueAt: number, now: number): void {
    if (dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(this.#fire, Math.min(Math.max(dueAt - now, 0), LONGEST_TIMER_MS));
    // What is waited for holds the program open, not the watch over it.
    this.#timer.unref();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  readonly #fire = (): void => {
    const now = monotonicMs();
    // Held still ourselves, by a Ctrl-Z say: what came meanwhile is read before it counts as late. Once: a program that is
    // always busy would wait for ever.
    this.#reading = !this.#reading && now - this.#dueAt > HELD_UP_MS;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const next = this.#reading ? now + READING_MS : this.#sweep(now);
    if (next !== Number.POSITIVE_INFINITY) this.expect(next, now);
  };
}

/** A timer that is later than this says that the whole program stood still. */
const HELD_UP_MS = 500;
const READING_MS = 250;

/** Node fires a timer beyond this at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
