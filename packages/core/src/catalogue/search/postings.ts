/** Which tools hold a word, and how much it says about each. Words and tools are numbers here; those that went are used again. */
import type { WordWeight } from './word-weights.ts';

export interface Posting {
  readonly slots: readonly number[];
  readonly weights: readonly number[];
}

interface WordList {
  readonly word: string;
  readonly written: string;
  readonly slots: number[];
  readonly weights: number[];
}

export class Postings {
  readonly #numbers = new Map<string, number>();
  readonly #lists: (WordList | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  /** The words of each tool. */
  readonly #held: (Uint32Array | undefined)[] = [];
  readonly #freeSlots: number[] = [];

  /** How many tools are held. */
  get size(): number {
    return this.#held.length - this.#freeSlots.length;
  }

  /** Every slot is below it. */
  get slots(): number {
    return this.#held.length;
  }

  posting(word: string): Posting | undefined {
    const number = this.#numbers.get(word);
    return number === undefined ? undefined : this.#lists[number];
  }

  /** How much a word tells tools apart: one that few hold tells more. */
  rarity(word: string): number {
    const frequency = this.frequency(word);
    return Math.log(1 + (this.size - frequency + 0.5) / (frequency + 0.5));
  }

  /** Every word that some tool holds, with the way the first of them writes it. */
  *words(): Iterable<readonly [word: string, written: string]> {
    for (const list of this.#lists) if (list) yield [list.word, list.written];
  }

  /** How many tools hold it. */
  frequency(word: string): number {
    return this.posting(word)?.slots.length ?? 0;
  }

  /** Returns the slot of the tool that holds these words. */
  add(weights: ReadonlyMap<string, WordWeight>): number {
    const slot = this.#freeSlots.pop() ?? this.#held.length;
    const held = new Uint32Array(weights.size);
    let at = 0;
    for (const [word, { weight, written }] of weights) {
      const number = this.#number(word, written);
      const list = this.#lists[number] as WordList;
      list.slots.push(slot);
      list.weights.push(weight);
      held[at++] = number;
    }
    this.#held[slot] = held;
    return slot;
  }

  /** All at once: each list is gone through once, however many of its tools go. */
  drop(slots: ReadonlySet<number>): void {
    const touched = new Set<number>();
    for (const slot of slots) {
      for (const number of this.#held[slot] ?? []) touched.add(number);
      this.#held[slot] = undefined;
      this.#freeSlots.push(slot);
    }
    for (const number of touched) this.#shorten(number, slots);
  }

  #shorten(number: number, gone: ReadonlySet<number>): void {
    const list = this.#lists[number] as WordList;
    let kept = 0;
    for (let at = 0; at < list.slots.length; at++) {
      const slot = list.slots[at] as number;
      if (gone.has(slot)) continue;
      list.slots[kept] = slot;
      list.weights[kept++] = list.weights[at] as number;
    }
    list.slots.length = kept;
    list.weights.length = kept;
    if (kept > 0) return;
    // A server that offers other words every minute must not fill the memory.
    this.#numbers.delete(list.word);
    this.#lists[number] = undefined;
    this.#freeNumbers.push(number);
  }

  #number(word: string, written: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#freeNumbers.pop() ?? this.#lists.length;
    this.#numbers.set(word, number);
    this.#lists[number] = { word, written, slots: [], weights: [] };
    return number;
  }
}
