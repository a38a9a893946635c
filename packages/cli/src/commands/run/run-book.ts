/** The runs of this data directory: what has to be cleaned up after one whose process was killed. 0600. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Living, stillLives, thisProcess, withFileLock, writePrivateFile } from '@junctor/core/inside';

export interface Run extends Living {
  readonly agent: string;
  /** SHA-256 of the token that was made for it. */
  readonly token?: string;
  /** Where its config lies. */
  readonly folder?: string;
}

export class RunBook {
  readonly #file: string;

  constructor(dataDirectory: string) {
    this.#file = join(dataDirectory, 'runs.json');
  }

  /** Adds to what is known of the run of this process. */
  async note(run: Omit<Run, keyof Living>): Promise<void> {
    await this.#change(runs => {
      const known = runs.find(({ pid }) => pid === process.pid);
      return [...runs.filter(({ pid }) => pid !== process.pid), { ...known, ...thisProcess(), ...run }];
    });
  }

  async forget(): Promise<void> {
    await this.#change(runs => runs.filter(({ pid }) => pid !== process.pid));
  }

  /** Removes what killed runs left, and says which: their tokens are for whoever keeps tokens to revoke. */
  async sweep(): Promise<readonly Run[]> {
    const dead = (await this.#read()).filter(run => run.pid === process.pid || !stillLives(run));
    for (const { folder } of dead) if (folder) await rm(folder, { recursive: true, force: true });
    if (dead.length > 0) await this.#change(runs => runs.filter(run => !dead.some(({ pid }) => pid === run.pid)));
    return dead;
  }

  async #change(edit: (runs: readonly Run[]) => readonly Run[]): Promise<void> {
    await withFileLock(this.#file, async () => {
      const runs = edit(await this.#read());
      await writePrivateFile(this.#file, `${JSON.stringify({ version: 1, runs }, null, 2)}\n`);
    });
  }

  async #read(): Promise<readonly Run[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    try {
      return text === '' ? [] : ((JSON.parse(text) as { runs?: Run[] }).runs ?? []);
    } catch {
      return []; // spoilt: what it named stays, and nothing worse
    }
  }
}
