/** What a tool, a prompt or a resource can do while it is asked for, whichever era the client speaks. */
import type { Counts } from '../calls.ts';
import type { Params } from '../rpc.ts';
import type { SharedState } from '../shared-state.ts';
import type { Answers, Questions } from './question.ts';

export interface TaskContext {
  readonly signal: AbortSignal;
  ask(questions: Questions): Promise<Answers>;
}

export type TaskWork = (context: TaskContext) => Promise<object>;

export interface RequestContext {
  readonly signal: AbortSignal;
  readonly shared: SharedState;
  /** Other calls of this client: how many run, how many were cancelled. */
  readonly counts: Counts;
  /** What the client says it can do. */
  readonly capabilities: Params;
  /** False while a client of the modern era has not brought back a request state of ours. */
  readonly resumed: boolean;
  /** Keys of questions that a client of the modern era brought answers to. */
  readonly answered: readonly string[];
  /** Tells the caller how far it is; nothing is sent when the caller asked for no progress. */
  progress(progress: number, total: number | undefined, message?: string): void;
  /** Writes to the client's log; nothing is sent below the level it wants. */
  log(level: string, data: unknown): void;
  /** Asks the client. In the modern era this may end the run: it starts over once the client has the answers. */
  ask(questions: Questions): Promise<Answers>;
  /** Does the work in a task where the client can follow one, and at once where it cannot. */
  inTask(work: TaskWork): Promise<object>;
  /** Breaks off the stream the answer would come on; the client is to take it up again. */
  closeStream(): void;
}

/** A question that was not answered: the tool says so, and the call is no protocol error. */
export class Unanswered extends Error {}
