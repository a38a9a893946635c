/** The last lines somebody wrote, bounded: what a person needs to see when a program died. */
export class Tail {
  readonly #maxCharacters: number;
  #text = '';

  constructor(maxCharacters = 8 * 1024) {
    this.#maxCharacters = maxCharacters;
  }

  push(chunk: string): void {
    this.#text = (this.#text + chunk).slice(-this.#maxCharacters);
  }

  lines(count: number): string {
    return this.#text.trimEnd().split('\n').slice(-count).join('\n');
  }
}
