/**
 * How long somebody waits for PostgreSQL. A machine that lost its power, or a firewall that drops everything, tells nobody,
 * and TCP hopes for a quarter of an hour. So where an answer takes long, another connection asks what the database is doing:
 * while it is at work on it, however long that takes, the answer is waited for; else it will never come. While the machine
 * is silent, nobody is made to wait for it.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** The processes of PostgreSQL that are at work; undefined where it answers, but does not say. */
export type AtWork = ReadonlySet<number> | undefined;

export interface PatienceOptions {
  /** Fails where nothing comes back from the machine. */
  readonly whoIsAtWork: () => Promise<AtWork>;
  /** What whoever waits in vain is told. */
  readonly unreachable: (why: Error) => Error;
}

/** Something that was asked on a connection, and is not answered yet. */
export interface OpenQuestion<Answer> {
  readonly answer: Promise<Answer>;
  /** Of the connection, at PostgreSQL. */
  readonly process: number | undefined;
  /** Breaks the connection: the answer fails. */
  hangUp(): void;
}

/** Shorter, and a database that is only busy is asked about all the time. */
const DOUBT_AFTER_MS = 5000;

/** An answer that was sent when we looked is here by then. */
const ON_ITS_WAY_MS = 1000;

/** How soon it is noticed that the machine is back. */
const LOOK_AGAIN_MS = 1000;

export class Patience {
  readonly #options: PatienceOptions;
  #looking: Promise<AtWork> | undefined;
  #silence: string | undefined;
  #closed = false;

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  /** Fails while it makes no sense to ask anything. */
  expectVoice(): void {
    if (this.#silence !== undefined) throw this.#options.unreachable(new Error(this.#silence));
  }

  close(): void {
    this.#closed = true;
  }

  /** Waits for an answer while one can come. */
  async during<Answer>({ answer, process, hangUp }: OpenQuestion<Answer>): Promise<Answer> {
    let open = true;
    let lost: string | undefined;
    const doubt = async (): Promise<void> => {
      const why = await this.#whyLost(process);
      if (!open) return;
      if (why === undefined) {
        timer = setTimeout(doubt, DOUBT_AFTER_MS).unref();
        return;
      }
      lost = why;
      hangUp();
    };
    let timer = setTimeout(doubt, DOUBT_AFTER_MS).unref();
    try {
      return await answer;
    } catch (error) {
      throw lost === undefined ? error : this.#options.unreachable(new Error(lost, { cause: error }));
    } finally {
      open = false;
      clearTimeout(timer);
    }
  }

  async #whyLost(process: number | undefined): Promise<string | undefined> {
    try {
      const atWork = await this.#look();
      if (atWork === undefined || (process !== undefined && atWork.has(process))) return undefined;
    } catch {
      return this.#silence;
    }
    await sleep(ON_ITS_WAY_MS, undefined, { ref: false });
    return 'the connection to it broke, and nobody said so';
  }

  /** Once for all who doubt at the same time. */
  #look(): Promise<AtWork> {
    this.#looking ??= this.#options
      .whoIsAtWork()
      .then(
        atWork => {
          this.#silence = undefined;
          return atWork;
        },
        error => {
          this.#silence = `nothing comes back from its machine: ${(error as Error).message}`;
          void this.#lookAgain();
          throw error;
        },
      )
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #lookAgain(): Promise<void> {
    await sleep(LOOK_AGAIN_MS, undefined, { ref: false });
    if (!this.#closed) await this.#look().catch(() => {});
  }
}
