/** What the person typed in earlier sessions, its owner's alone. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '@junctor/core/internal';

const MOST_KEPT = 500;

export class History {
  readonly #file: string;
  readonly #mask: (text: string) => string;
  #lines: string[] = [];

  constructor(dataDirectory: string, mask: (text: string) => string) {
    this.#file = join(dataDirectory, 'chat', 'history.json');
    this.#mask = mask;
  }

  async read(): Promise<readonly string[]> {
    try {
      this.#lines = JSON.parse(await readFile(this.#file, 'utf8'));
    } catch {
      // None yet, or one that cannot be read: nothing anybody needs.
      this.#lines = [];
    }
    return this.#lines;
  }

  async add(line: string): Promise<void> {
    this.#lines = [...this.#lines.filter(one => one !== line), this.#mask(line)].slice(-MOST_KEPT);
    await writePrivateFile(this.#file, `${JSON.stringify(this.#lines)}\n`);
  }
}
