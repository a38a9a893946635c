/** Work that goes on after its call was answered: the client asks how far it is, and may be asked in turn. */
import { randomUUID } from 'node:crypto';
import { type Answers, isAnswer, type Question, type Questions } from '../protocol/question.ts';
import type { TaskWork } from '../protocol/request-context.ts';
import { CODE, type ErrorObject, errorObject, type Params, RpcError } from '../rpc.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface TaskOptions {
  readonly ttlMs: number;
  readonly onChange: (task: Task) => void;
}

interface Pending {
  readonly question: Question;
  answer(answer: Params): void;
}

export class Task {
  readonly id: string = randomUUID();
  readonly createdAt: Date = new Date();
  readonly ttlMs: number;
  /** Resolves once the task is over, however it ended. */
  readonly over: Promise<void>;
  #status: TaskStatus = 'working';
  #updatedAt: Date = this.createdAt;
  #result: object | undefined;
  #error: ErrorObject | undefined;
  readonly #abort = new AbortController();
  readonly #pending = new Map<string, Pending>();
  readonly #onChange: (task: Task) => void;

  constructor(work: TaskWork, options: TaskOptions) {
    this.ttlMs = options.ttlMs;
    this.#onChange = options.onChange;
    this.over = this.#run(work);
  }

  get status(): TaskStatus {
    return this.#status;
  }

  get updatedAt(): Date {
    return this.#updatedAt;
  }

  get isOver(): boolean {
    return this.#status !== 'working' && this.#status !== 'input_required';
  }

  get result(): object | undefined {
    return this.#result;
  }

  get error(): ErrorObject | undefined {
    return this.#error;
  }

  /** What the client has not answered yet. */
  get questions(): Questions {
    return Object.fromEntries([...this.#pending].map(([key, { question }]) => [key, question]));
  }

  /** Takes the answers that are asked for; others are of no interest. */
  answer(answers: Params): void {
    for (const [key, answer] of Object.entries(answers)) {
      const pending = this.#pending.get(key);
      if (!pending) continue;
      if (!isAnswer(pending.question, answer)) throw new RpcError(CODE.invalidParams, `No answer to '${key}' is this.`);
      this.#pending.delete(key);
      if (this.#pending.size === 0) this.#become('working');
      pending.answer(answer);
    }
  }

  cancel(): void {
    if (this.isOver) return;
    this.#become('cancelled');
    this.#abort.abort();
  }

  async #run(work: TaskWork): Promise<void> {
    try {
      // The task must be known to everybody before its work says anything.
      await null;
      const result = await work({ signal: this.#abort.signal, ask: questions => this.#ask(questions) });
      if (this.isOver) return;
      this.#result = result;
      this.#become('completed');
    } catch (error) {
      if (this.isOver) return;
      this.#error = errorObject(error);
      this.#become('failed');
    }
  }

  #ask(questions: Questions): Promise<Answers> {
    const answers = Object.entries(questions).map(
      ([key, question]) =>
        new Promise<[string, Params]>((resolve, reject) => {
          this.#pending.set(key, { question, answer: answer => resolve([key, answer]) });
          this.#abort.signal.addEventListener('abort', () => reject(this.#abort.signal.reason), { once: true });
        }),
    );
    this.#become('input_required');
    return Promise.all(answers).then(Object.fromEntries);
  }

  #become(status: TaskStatus): void {
    this.#status = status;
    this.#updatedAt = new Date();
    if (this.isOver) this.#pending.clear();
    this.#onChange(this);
  }
}
