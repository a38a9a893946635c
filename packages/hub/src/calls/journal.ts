/**
 * What the hub is about to do, in a file that survives `kill -9`: one line for each call that arrives, is sent and ends. All
 * lines of one turn of the event loop go out in one write.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { JunctorError } from '@junctor/core';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '@junctor/core/inside';

/** A journal that is larger is written anew, with what is not in the database yet. */
const REWRITE_ABOVE_BYTES = 1024 * 1024;

export interface JournalOptions {
  readonly file: string;
  /** The disk is full, or the like. Calls go on: told once. */
  readonly onProblem: (error: Error) => void;
}

/** Something the journal speaks of. */
export interface JournalEntry {
  /** Whether it is about to be asked for its news: the journal remembers that here. */
  isPending: boolean;
  /** What is to be written about it now, as lines. */
  news(): string;
}

export class Journal {
  readonly #options: JournalOptions;
  #descriptor: number;
  #bytes = 0;
  /** Each once, however much became of it in one turn. */
  #pending: JournalEntry[] = [];
  #scheduled: NodeJS.Immediate | undefined;
  #written: PromiseWithResolvers<void> | undefined;
  #complained = false;
  #closed = false;

  /** Begins an empty journal: read what an earlier life left first. */
  constructor(options: JournalOptions) {
    this.#options = options;
    this.#descriptor = create(options.file);
  }

  /** There is something to say about it: that is written with all else of this turn of the event loop. */
  note(entry: JournalEntry): void {
    if (entry.isPending) return;
    entry.isPending = true;
    this.#pending.push(entry);
    this.#scheduled ??= setImmediate(this.#onTurnEnd);
  }

  /** Resolves when what was noted is out of our hands. */
  written(): Promise<void> {
    if (this.#pending.length === 0) return Promise.resolve();
    this.#written ??= Promise.withResolvers();
    return this.#written.promise;
  }

  /** Writes at once what was noted: for whom there is nobody to wait with. */
  writeNow(): void {
    this.#flush();
  }

  /** Nothing in it is needed any more. */
  empty(): void {
    this.#flush();
    if (this.#closed || this.#bytes === 0) return;
    ftruncateSync(this.#descriptor, 0);
    this.#bytes = 0;
  }

  /** Whether it is large enough to be worth writing anew. */
  get isLong(): boolean {
    return this.#bytes > REWRITE_ABOVE_BYTES;
  }

  /** Keeps these lines and no others. */
  rewrite(lines: readonly string[]): void {
    this.#flush();
    if (this.#closed) return;
    const fresh = `${this.#options.file}.new`;
    const descriptor = openSync(fresh, 'w', PRIVATE_FILE);
    this.#bytes = writeSync(descriptor, lines.join(''));
    // In one step: at no moment is there a journal without them.
    renameSync(fresh, this.#options.file);
    closeSync(this.#descriptor);
    this.#descriptor = descriptor;
  }

  close(): void {
    if (this.#closed) return;
    this.#flush();
    this.#closed = true;
    closeSync(this.#descriptor);
  }

  readonly #onTurnEnd = (): void => {
    const written = this.#written;
    this.#scheduled = undefined;
    this.#written = undefined;
    this.#flush();
    written?.resolve();
  };

  #flush(): void {
    if (this.#pending.length === 0 || this.#closed) return;
    const entries = this.#pending;
    this.#pending = [];
    let text = '';
    for (const entry of entries) {
      entry.isPending = false;
      text += entry.news();
    }
    try {
      this.#bytes += writeSync(this.#descriptor, text, this.#bytes);
    } catch (error) {
      if (!this.#complained) this.#options.onProblem(error as Error);
      this.#complained = true;
    }
  }
}

function create(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_DIRECTORY });
    return openSync(file, 'w', PRIVATE_FILE);
  } catch (error) {
    throw new JunctorError('file_unwritable', `The journal of calls, ${file}, cannot be written.`, {
      why: (error as Error).message,
      hint: 'check the permissions of the data directory, or choose another with --data',
      cause: error,
    });
  }
}

/** The text an earlier life of the hub left behind. */
export function readJournal(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
