/**
 * What the hub is about to do, in a file that survives `kill -9`: one line for each call that arrives, is sent and ends. A
 * call is sent after its line is written; lines that nobody waits for are written together.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JunctorError } from '@junctor/core';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '@junctor/core/internal';

/**
 * In the data directory, in a folder of its own: the hub watches the data directory for changed secrets, and each write to a
 * file in a watched folder would wake it.
 */
export const JOURNAL_FILE: string = join('journal', 'calls.journal');
/** Where earlier versions kept it. */
const OLD_JOURNAL_FILE = 'calls.journal';

/** A journal that is larger is written anew, with what is not in the database yet. */
const REWRITE_ABOVE_BYTES = 1024 * 1024;

/** How long a line may wait that nobody waits for. A hub killed meanwhile counts an answered call as `unknown`. */
const WRITE_WITHIN_MS = 10;

export interface JournalOptions {
  readonly dataDirectory: string;
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
  readonly #file: string;
  #descriptor: number;
  #bytes = 0;
  /** Each once, however much became of it in one turn. */
  #pending: JournalEntry[] = [];
  #scheduled: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #written: PromiseWithResolvers<void> | undefined;
  #complained = false;
  #closed = false;

  /** Begins an empty journal: read what an earlier life left first. */
  constructor(options: JournalOptions) {
    this.#options = options;
    this.#file = join(options.dataDirectory, JOURNAL_FILE);
    this.#descriptor = create(this.#file);
  }

  /** There is something to say about it: that is written with the next line somebody waits for, or soon. */
  note(entry: JournalEntry): void {
    if (entry.isPending) return;
    entry.isPending = true;
    this.#pending.push(entry);
    // Not cleared by a write: a timer for each call would cost more than one that finds nothing to do.
    this.#timer ??= setTimeout(this.#onTimer, WRITE_WITHIN_MS);
  }

  /** Resolves when what was noted is out of our hands: written with all else of this turn of the event loop. */
  written(): Promise<void> {
    if (this.#pending.length === 0) return Promise.resolve();
    this.#scheduled ??= setImmediate(this.#onTurnEnd);
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
    const fresh = `${this.#file}.new`;
    const descriptor = openSync(fresh, 'w', PRIVATE_FILE);
    this.#bytes = writeSync(descriptor, lines.join(''));
    // In one step: at no moment is there a journal without them.
    renameSync(fresh, this.#file);
    closeSync(this.#descriptor);
    this.#descriptor = descriptor;
  }

  close(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#flush();
    this.#closed = true;
    closeSync(this.#descriptor);
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    this.#flush();
  };

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

/** What a hub that used this data directory before left behind. */
export function readJournal(dataDirectory: string): string {
  return [OLD_JOURNAL_FILE, JOURNAL_FILE].map(file => read(join(dataDirectory, file))).join('\n');
}

/** Once what stands in it is in the database. */
export function removeOldJournal(dataDirectory: string): void {
  rmSync(join(dataDirectory, OLD_JOURNAL_FILE), { force: true });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
