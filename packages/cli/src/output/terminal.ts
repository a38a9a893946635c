/** A person at a terminal, asked line by line. Questions go to stderr: stdout is for the answer. */
import { createInterface, type Interface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** Where lines come in and questions go out; a test brings its own. */
export interface Door {
  readonly input: Readable;
  readonly output: Writable;
}

export class Terminal implements Disposable {
  readonly #lines: Interface;
  readonly #door: Door;
  readonly #signal: AbortSignal;
  readonly #gone = new AbortController();

  constructor(signal: AbortSignal, door: Door = { input: process.stdin, output: process.stderr }) {
    this.#door = door;
    this.#signal = signal;
    this.#lines = createInterface({ ...door, historySize: 0 });
    this.#lines.once('close', () => this.#gone.abort());
    // A terminal that is read key by key sends no signal for Ctrl-C. This is the one it would have sent; it ends the
    // command, and with that the question.
    this.#lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  }

  say(line: string): void {
    this.#door.output.write(`${line}\n`);
  }

  /** Undefined when there will be no answer: the person ended the input, or nobody waits for it any more. */
  async ask(question: string): Promise<string | undefined> {
    if (this.#gone.signal.aborted) return undefined;
    const signal = AbortSignal.any([this.#signal, this.#gone.signal]);
    try {
      return (await this.#lines.question(question, { signal })).trim();
    } catch (error) {
      if (!signal.aborted) throw error;
      this.say('');
      return undefined;
    }
  }

  /** Only a clear yes is one; undefined when there was no answer. */
  async agrees(question: string): Promise<boolean | undefined> {
    const answer = await this.ask(`${question} [y/N] `);
    return answer === undefined ? undefined : /^y(es)?$/i.test(answer);
  }

  [Symbol.dispose](): void {
    this.#lines.close();
  }
}
