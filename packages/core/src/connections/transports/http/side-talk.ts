/**
 * What nobody here waits for, such as answers to a server's own questions. Over HTTP each is a request of its own: a few leave at
 * a time, so that a server which asks by the thousand does not take every connection that this machine may have.
 */

import type { OnRefused } from '../signed.ts';
import type { Hello } from './hello.ts';

const AT_ONCE = 32;
/** Whoever asks faster than it takes answers gets no more of them. */
const MOST_WAITING = 1000;
/** One that the server does not take is not waited for. */
const TAKEN_AT_LATEST_MS = 5000;

/** Told of the status, or that there is none. */
type OnAnswered = (status?: number) => void;

/** Who is told what became of a request. */
export interface Afterwards {
  readonly onRefused: OnRefused | undefined;
  readonly onAnswered?: OnAnswered | undefined;
}

interface Saying {
  readonly text: string;
  readonly post: (onAnswered: OnAnswered) => void;
}

export class SideTalk {
  readonly #hello: Hello;
  #out = 0;
  #waiting: Saying[] = [];

  /** The hello is among what is said so. */
  constructor(hello: Hello) {
    this.#hello = hello;
  }

  say(text: string, post: Saying['post']): void {
    if (this.#out < AT_ONCE) this.#begin({ text, post });
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ text, post });
  }

  /** What still waits is not sent any more. */
  close(): void {
    this.#waiting = [];
  }

  #begin({ text, post }: Saying): void {
    let over = false;
    this.#out++;
    const next = (): void => {
      if (over) return;
      over = true;
      clearTimeout(impatience);
      this.#out--;
      const waiting = this.#waiting.shift();
      if (waiting) this.#begin(waiting);
    };
    const impatience = setTimeout(next, TAKEN_AT_LATEST_MS).unref();
    post(status => {
      this.#hello.arrived(text, status);
      next();
    });
  }
}
