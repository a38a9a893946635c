/** Which tools hold a word, and how much it says about each. Words and tools are numbers here; those that went are used again. */
export interface Posting {
  readonly slots: readonly number[];
  readonly weights: readonly number[];
}

/** The words of one tool, each once. */
export interface TermWeights {
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
}

interface WordList {
  readonly word: string;
  readonly slots: number[];
  readonly weights: number[];
}

export class Postings {
  readonly #numbers = new Map<string, number>();
  readonly #lists: (WordList | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  readonly #held: (TermWeights | undefined)[] = [];
  readonly #freeSlots: number[] = [];

  /** How many tools are held. */
  get size(): number {
    return this.#held.length - this.#freeSlots.length;
  }

  /** Every slot is below it. */
  get slots(): number {
    return this.#held.length;
  }

  /** The number of a word that some tool holds. */
  known(word: string): number | undefined {
    return this.#numbers.get(word);
  }

  posting(term: number): Posting | undefined {
    return this.#lists[term];
  }

  /** How many tools hold it. */
  frequency(term: number): number {
    return this.#lists[term]?.slots.length ?? 0;
  }

  add(weights: ReadonlyMap<string, number>): { readonly slot: number; readonly held: TermWeights } {
    const slot = this.#freeSlots.pop() ?? this.#held.length;
    const held = { terms: new Uint32Array(weights.size), weights: new Float32Array(weights.size) };
    let at = 0;
    for (const [word, weight] of weights) {
      const term = this.#number(word);
      const list = this.#lists[term] as WordList;
      list.slots.push(slot);
      list.weights.push(weight);
      held.terms[at] = term;
      held.weights[at++] = weight;
    }
    this.#held[slot] = held;
    return { slot, held };
  }

  /** All at once: each list is gone through once, however many of its tools go. */
  drop(slots: ReadonlySet<number>): void {
    const touched = new Set<number>();
    for (const slot of slots) {
      for (const term of this.#held[slot]?.terms ?? []) touched.add(term);
      this.#held[slot] = undefined;
      this.#freeSlots.push(slot);
    }
    for (const term of touched) this.#shorten(term, slots);
  }

  #shorten(term: number, gone: ReadonlySet<number>): void {
    const list = this.#lists[term] as WordList;
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
    this.#lists[term] = undefined;
    this.#freeNumbers.push(term);
  }

  #number(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#freeNumbers.pop() ?? this.#lists.length;
    this.#numbers.set(word, number);
    this.#lists[number] = { word, slots: [], weights: [] };
    return number;
  }
}
