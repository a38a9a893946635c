/** Takes the answer to a call whose client has a ticket, in the words of the endpoint, and keeps it for whom it is. */
import { parseKeepingDigits } from '@junctor/core/internal';
import { Reply } from '../../visit/reply.ts';

/** How the call ended: a result, or an error of JSON-RPC. */
export interface TaskOutcome {
  readonly result?: unknown;
  readonly error?: unknown;
  readonly bytes: number;
}

export class TaskReply extends Reply {
  readonly unread = 0;
  readonly #onEnd: (outcome: TaskOutcome | undefined) => void;

  /** `onEnd`: without an outcome where the call was given up. */
  constructor(onEnd: (outcome: TaskOutcome | undefined) => void) {
    super('0');
    this.#onEnd = onEnd;
  }

  /** What is said during a task belongs to no request of its client. */
  say(): void {}

  notify(): void {}

  protected abandoned(): void {
    this.#onEnd(undefined);
  }

  protected write(pieces: readonly Buffer[], bytes: number): void {
    const { result, error } = parseKeepingDigits(Buffer.concat(pieces).toString('utf8')) as Omit<TaskOutcome, 'bytes'>;
    this.#onEnd({ result, error, bytes });
  }
}
