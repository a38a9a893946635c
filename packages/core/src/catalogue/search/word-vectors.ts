/** Where words lie in meaning: words that people use in the same places lie near each other. As scripts/word-vectors.mjs writes it. */
export class WordVectors {
  readonly #rows = new Map<string, number>();
  readonly #values: Int8Array;
  readonly #dimensions: number;

  constructor(bytes: Uint8Array) {
    const end = bytes.indexOf(NEW_LINE);
    const words = new TextDecoder().decode(bytes.subarray(0, end)).split(' ');
    this.#values = new Int8Array(bytes.buffer, bytes.byteOffset + end + 1, bytes.length - end - 1);
    this.#dimensions = Math.floor(this.#values.length / words.length);
    for (const [row, word] of words.entries()) this.#rows.set(word, row);
  }

  /** Where the vector of a word lies; undefined for a word that is not known. */
  row(word: string): number | undefined {
    return this.#rows.get(word);
  }

  /** From about 0, nothing to do with each other, to 1. */
  nearness(oneRow: number, otherRow: number): number {
    const dimensions = this.#dimensions;
    const values = this.#values;
    const [from, to] = [oneRow * dimensions, otherRow * dimensions];
    let sum = 0;
    for (let at = 0; at < dimensions; at++) sum += (values[from + at] as number) * (values[to + at] as number);
    return sum / UNIT;
  }
}

const NEW_LINE = 10;
/** What a vector times itself gives: its parts are written 254 times as large as they are. */
const UNIT = 254 ** 2;
