/** How secrets are masked in words that are an answer. */
export interface Masking {
  mask(text: string): string;
  /** Where a secret may have begun that is not whole yet; the length of the text if none has. */
  unfinishedAt(text: string): number;
}

/**
 * Masks secrets in a text that comes in pieces. A secret may be cut by the end of a piece, so the last word, and what may be the
 * beginning of a secret of several words, is held back until it is whole.
 */
export class WordMask {
  readonly #masking: Masking;
  #held = '';

  constructor(masking: Masking) {
    this.#masking = masking;
  }

  push(text: string): string {
    const all = this.#held + text;
    // Masked before it is cut: the end of a secret may be a word.
    const unfinished = this.#masking.unfinishedAt(all);
    const masked = this.#masking.mask(all.slice(0, unfinished));
    const word = lastWordAt(masked);
    // A text without any space must flow too.
    const ready = masked.length - word > LONGEST_WORD ? masked.length : word;
    this.#held = masked.slice(ready) + all.slice(unfinished);
    return masked.slice(0, ready);
  }

  /** What is left when nothing more comes. */
  rest(): string {
    const piece = this.#masking.mask(this.#held);
    this.#held = '';
    return piece;
  }
}

const LONGEST_WORD = 4096;

/** Read from the end: a search from the beginning would look at the rest of a long word again from each of its letters. */
function lastWordAt(text: string): number {
  let at = text.length;
  while (at > 0 && !WHITE.test(text[at - 1] as string)) at--;
  return at;
}

const WHITE = /\s/;
