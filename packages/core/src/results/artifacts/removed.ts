/** Which results were cleaned up, and why: whoever asks for one is told so, and not that it never was. */
import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCacheFile } from '../../base/files/atomic-file.ts';

export interface Removal {
  readonly id: string;
  readonly at: number;
  readonly why: string;
}

/** Some four thousand removals. Then the older half is forgotten. */
const MAX_BYTES = 512 * 1024;

export class RemovedResults {
  readonly #file: string;

  constructor(directory: string) {
    this.#file = join(directory, 'removed.jsonl');
  }

  async note(removals: readonly Removal[]): Promise<void> {
    if (removals.length === 0) return;
    // Short lines, added in one write each: two processes may do so at once.
    await appendFile(this.#file, removals.map(removal => `${JSON.stringify(removal)}\n`).join(''), { mode: 0o600 });
    const { size } = await stat(this.#file);
    if (size <= MAX_BYTES) return;
    const text = await readFile(this.#file, 'utf8');
    const half = text.indexOf('\n', text.length / 2) + 1;
    await writeCacheFile(this.#file, text.slice(half));
  }

  async find(id: string): Promise<Removal | undefined> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const line = text.split('\n').findLast(one => one.includes(`"${id}"`));
    return line === undefined ? undefined : (JSON.parse(line) as Removal);
  }
}
