/** Words of a catalogue that are near in meaning to a word somebody says, where the catalogue hardly says that word itself. */
import type { Postings } from './postings.ts';
import type { Sentence } from './query.ts';
import type { WordVectors } from './word-vectors.ts';

export interface NearWord {
  readonly stem: string;
  /** From 0, not near any more, to 1, the same. */
  readonly nearness: number;
}

/** Less near ones have only their field in common: Monday and Tuesday, left and right. */
const NEAR = 0.4;
/** More of them would outweigh the word itself. */
const MAX_NEAR = 5;
/** A word that so many tools hold counts twice as much as those near it; who holds none of them needs no help. */
const RARE = 3;
/** From here on what is near is not worth looking for. */
const TOO_COMMON = 12;

export class NearWords {
  readonly #vectors: WordVectors;
  readonly #postings: Postings;
  /** What the catalogue says, as far as its meaning is known. */
  readonly #stems: string[] = [];
  /** Where the vectors of these words lie, as tools write them. */
  readonly #rows: number[] = [];
  readonly #found = new Map<string, readonly NearWord[]>();

  /** Of a catalogue as it is now. */
  constructor(vectors: WordVectors, postings: Postings) {
    this.#vectors = vectors;
    this.#postings = postings;
    for (const [stem, written] of postings.words()) {
      const row = vectors.row(written);
      if (row === undefined) continue;
      this.#stems.push(stem);
      this.#rows.push(row);
    }
  }

  /** Lets words that were not said count a little, for those that were. */
  widen(sentences: readonly Sentence[]): void {
    for (const { stems, said } of sentences) {
      for (const [own, word] of said) {
        const frequency = this.#postings.frequency(own);
        if (frequency > TOO_COMMON) continue;
        const counts = ((stems.get(own) ?? 0) * RARE) / (RARE + frequency);
        for (const { stem, nearness } of this.#near(own, word)) {
          stems.set(stem, Math.max(counts * nearness, stems.get(stem) ?? 0));
        }
      }
    }
  }

  #near(own: string, word: string): readonly NearWord[] {
    let found = this.#found.get(word);
    if (!found) {
      const row = this.#vectors.row(word);
      found = row === undefined ? [] : this.#look(own, row);
      this.#found.set(word, found);
    }
    return found;
  }

  #look(own: string, row: number): NearWord[] {
    const near: NearWord[] = [];
    for (let at = 0; at < this.#rows.length; at++) {
      const nearness = (this.#vectors.nearness(row, this.#rows[at] as number) - NEAR) / (1 - NEAR);
      if (nearness <= 0) continue;
      const stem = this.#stems[at] as string;
      if (stem !== own) near.push({ stem, nearness: Math.min(1, nearness) });
    }
    return near.sort((a, b) => b.nearness - a.nearness).slice(0, MAX_NEAR);
  }
}
