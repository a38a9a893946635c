/**
 * Masks secrets in a text that comes in pieces. A secret may be cut by the end of a piece, so the last word is held back
 * until it is whole.
 */
export class WordMask {
  readonly #mask: (text: string) => string;
  #held = '';

  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  push(text: string): string {
    this.#held += text;
    const end = lastWordAt(this.#held);
    // A text without any space must flow too; no key is that long.
    const ready = this.#held.length - end > LONGEST_WORD ? this.#held.length : end;
    const piece = this.#held.slice(0, ready);
    this.#held = this.#held.slice(ready);
    return this.#mask(piece);
  }

  /** What is left when nothing more comes. */
  rest(): string {
    const piece = this.#mask(this.#held);
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
