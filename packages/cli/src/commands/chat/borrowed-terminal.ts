/**
 * Questions and commands that read the terminal themselves while chat goes on. Ctrl-C there ends what was asked and the run, not
 * the program.
 */
import type { ReplOptions } from '@junctor/chat';
import { cleanText } from '@junctor/core/light';
import type { Context } from '../../context.ts';

type Desk = Parameters<ReplOptions['onDesk']>[0];

export class BorrowedTerminal implements Disposable {
  readonly #context: Context;
  readonly #before = process.listeners('SIGINT');
  #desk: Desk | undefined;
  #borrowed: AbortController | undefined;

  constructor(context: Context) {
    this.#context = context;
    process.removeAllListeners('SIGINT');
    process.on('SIGINT', this.#onInterrupt);
  }

  from(desk: Desk): void {
    this.#desk = desk;
  }

  /** A line of the log: above what the person types, which stays whole, unless somebody else has the terminal. */
  tell(line: string): void {
    if (this.#desk && !this.#borrowed && process.stderr.isTTY) this.#desk.say(cleanText(line));
    else this.#context.talk(line);
  }

  /** The work gets a context that ends with Ctrl-C. */
  async during<Answer>(work: (context: Context) => Promise<Answer>): Promise<Answer> {
    const lend: Desk['lend'] = this.#desk?.lend ?? (asked => asked());
    return lend(async () => {
      const borrowed = new AbortController();
      this.#borrowed = borrowed;
      try {
        return await work({ ...this.#context, signal: AbortSignal.any([this.#context.signal, borrowed.signal]) });
      } finally {
        this.#borrowed = undefined;
      }
    });
  }

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#onInterrupt);
    for (const listener of this.#before) process.on('SIGINT', listener);
  }

  readonly #onInterrupt = (signal: NodeJS.Signals): void => {
    if (!this.#borrowed) return this.#before.forEach(listener => void listener(signal));
    this.#borrowed.abort();
    this.#desk?.interrupt();
  };
}
