/**
 * A run that can outlive the call that started it: where it needs a yes, a client of the modern era gets the question as its
 * answer and comes back in another call. Until then the run waits.
 */
import { randomUUID } from 'node:crypto';
import type { Answer, Ask, Question } from '@junctor/core';
import type { Reply } from '../chat-event.ts';

interface OpenQuestion {
  readonly key: string;
  readonly question: Question;
  settle(answer: Answer): void;
}

export type Step =
  | { readonly kind: 'question'; readonly key: string; readonly question: Question }
  | { readonly kind: 'end' };

export class ParkedRun {
  readonly id: string = randomUUID();
  readonly #abort = new AbortController();
  readonly #questions: OpenQuestion[] = [];
  readonly #reply: Promise<Reply>;
  #asked = 0;
  #over = false;
  #expiry: NodeJS.Timeout | undefined;
  #wake = (): void => {};
  /** Where news of the run goes: the call that waits for it now. */
  onNews: (message: string) => void = () => {};

  constructor(work: (ask: Ask, signal: AbortSignal, tell: (message: string) => void) => Promise<Reply>) {
    this.#reply = work(
      question => this.#ask(question),
      this.#abort.signal,
      message => this.onNews(message),
    );
    const end = (): void => {
      this.#over = true;
      clearTimeout(this.#expiry);
      this.#wake();
    };
    this.#reply.then(end, end);
  }

  get reply(): Promise<Reply> {
    return this.#reply;
  }

  /** The next question, or the end. */
  async step(): Promise<Step> {
    for (;;) {
      const [open] = this.#questions;
      if (open) return { kind: 'question', key: open.key, question: open.question };
      if (this.#over) return { kind: 'end' };
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }

  answer(key: string, answer: Answer): void {
    this.#questions.find(open => open.key === key)?.settle(answer);
  }

  abort(): void {
    this.#abort.abort();
  }

  /** Counted anew each time somebody comes for it. */
  endAfter(ms: number): void {
    clearTimeout(this.#expiry);
    if (!this.#over) this.#expiry = setTimeout(() => this.abort(), ms);
    this.#expiry?.unref();
  }

  #ask(question: Question): Promise<Answer> {
    return new Promise(resolve => {
      const open: OpenQuestion = {
        key: `permission-${this.id}-${++this.#asked}`,
        question,
        settle: answer => {
          const at = this.#questions.indexOf(open);
          if (at >= 0) this.#questions.splice(at, 1);
          resolve(answer);
        },
      };
      question.signal?.addEventListener('abort', () => open.settle('deny'), { once: true });
      this.#questions.push(open);
      this.#wake();
    });
  }
}

/** The run that a question belongs to. */
export function runOf(key: string): string | undefined {
  return /^permission-(.{36})-\d+$/.exec(key)?.[1];
}
