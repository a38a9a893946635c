/**
 * A run that can outlive the call that started it: where it needs approval, a client of the modern era gets the question as its
 * answer and comes back in another call. Until then the run waits.
 */
import { randomUUID } from 'node:crypto';
import type { Answer, Ask, Question } from '@junctor/core';
import type { Suspendable } from '@junctor/core/internal';
import type { Reply } from '../chat-event.ts';

export interface OpenQuestion {
  /** What the client brings the answer under; set when the client is first given the question. */
  key: string | undefined;
  readonly question: Question;
  /** The client asked for all of the arguments. */
  whole: boolean;
  settle(answer: Answer): void;
}

export type Step = { readonly kind: 'question'; readonly open: OpenQuestion } | { readonly kind: 'end' };

export class ParkedRun implements Suspendable {
  readonly id: string = randomUUID();
  /** One client is served. */
  readonly owner = 'client';
  readonly #abort = new AbortController();
  readonly #questions: OpenQuestion[] = [];
  readonly #reply: Promise<Reply>;
  #over = false;
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
      if (open) return { kind: 'question', open };
      if (this.#over) return { kind: 'end' };
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }

  withdraw(): void {
    this.#abort.abort();
  }

  #ask(question: Question): Promise<Answer> {
    return new Promise(resolve => {
      const open: OpenQuestion = {
        key: undefined,
        question,
        whole: false,
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
