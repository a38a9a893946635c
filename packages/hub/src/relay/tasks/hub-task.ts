/**
 * One call that goes on after its client got a ticket for it. The task is the hub's: it has an id that no server knows, and
 * keeps questions and the outcome until its owner fetches them, in whichever era that one speaks.
 */
import { JunctorError, type ServerLogLevel } from '@junctor/core';
import {
  type AnswerId,
  type Frame,
  plainOutcome,
  pollMs,
  REFUSED,
  Refusal,
  type Task,
  withoutUnseen,
} from '@junctor/core/internal';
import type { Party, Question } from '../../visit/party.ts';
import type { Session } from '../../visit/session.ts';
import { stampFor } from '../../visit/stamp.ts';
import type { Job } from '../job.ts';
import { returnAnswer } from '../return-answer.ts';
import type { TaskListener } from './task-delivery.ts';
import { TaskQuestions } from './task-questions.ts';
import { type TaskOutcome, TaskReply } from './task-reply.ts';

export type TaskStatus = Task['status'];

/** Keeps tasks for their owners. */
export interface TaskKeeper {
  /** Takes the task in. False: it has no place, and the call must end. */
  admit(task: HubTask): boolean;
  /** Its status, its questions or its outcome are others now. */
  changed(task: HubTask): void;
}

export interface HubTaskOptions {
  readonly id: string;
  readonly job: Job;
  readonly keeper: TaskKeeper;
  readonly ttlMs: number;
  /** How long the call may take in all. */
  readonly totalMs: number;
  /** Writes the ticket for the client that made the call. */
  readonly ticket: (task: HubTask) => string;
}

/** Until the server proposes another pause. */
const FIRST_POLL_MS = 1000;
/** Longer words about a state are cut. */
const MAX_MESSAGE_CHARS = 2000;

export class HubTask implements Party, TaskListener {
  readonly id: string;
  readonly ttlMs: number;
  readonly totalMs: number;
  readonly createdAt: Date = new Date();
  updatedAt: Date = this.createdAt;
  endedAt: number | undefined;
  statusMessage: string | undefined;
  pollIntervalMs: number = FIRST_POLL_MS;
  outcome: TaskOutcome | undefined;
  readonly #options: HubTaskOptions;
  readonly #questions: TaskQuestions;
  readonly #waiting = new Set<() => void>();
  #cancelled = false;
  #ticketed = false;
  /** Ends what runs at the server. */
  #withdraw: (reason: string) => void = () => {};
  readonly #reply: TaskReply;

  constructor(options: HubTaskOptions) {
    this.#options = options;
    this.id = options.id;
    this.ttlMs = options.ttlMs;
    this.totalMs = options.totalMs;
    this.#questions = new TaskQuestions(this, () => this.#changed());
    this.#reply = new TaskReply(outcome => this.#ended(outcome));
  }

  get server(): string {
    return this.#options.job.upstream.server.id;
  }

  get session(): Session {
    return this.#options.job.caller.session;
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#options.job.caller.capabilities;
  }

  get logLevel(): ServerLogLevel | undefined {
    return this.#options.job.caller.logLevel;
  }

  /** Its client comes and goes. */
  get away(): boolean {
    return true;
  }

  get isOver(): boolean {
    return this.endedAt !== undefined;
  }

  /** A tool that says that it failed has completed; only in the older era that counts as a failed task. */
  get status(): TaskStatus {
    if (this.#cancelled) return 'cancelled';
    if (this.outcome) return this.outcome.error === undefined ? 'completed' : 'failed';
    return this.#questions.size > 0 ? 'input_required' : 'working';
  }

  /** What the client has not answered yet. */
  get questions(): TaskQuestions['open'] {
    return this.#questions.open;
  }

  /** Says how to end what runs at the server. */
  runs(withdraw: (reason: string) => void): void {
    this.#withdraw = withdraw;
  }

  /** Gives the client its ticket, once. False where no more tasks are kept: then the call is ended. */
  giveTicket(): boolean {
    if (this.#ticketed) return true;
    const { job, keeper, ticket } = this.#options;
    const { reply, flight, onFailure } = job;
    if (!keeper.admit(this)) {
      onFailure(reply, tooMany(this.server));
      this.#withdraw('too many tasks are kept');
      return false;
    }
    this.#ticketed = true;
    job.upstream.tasks.kept++;
    // The call ends with the task, and not with the ticket: the audit records it then.
    this.#reply.noted = reply.noted;
    reply.noted = undefined;
    flight.sent(() => {});
    reply.result(ticket(this));
    return true;
  }

  onState(state: Task): void {
    if (!this.giveTicket() || this.isOver) return;
    this.pollIntervalMs = pollMs(state);
    if (this.#say(state.statusMessage)) this.#changed();
  }

  onBytes(frame: Frame, at: AnswerId): void {
    const { job } = this.#options;
    const { translate, onFailure, caller } = job;
    const isModern = caller.era === 'modern';
    // A server that refused the call, or ran it at once, made no task. A client of the older era has asked for one.
    const direct = !this.#ticketed && (isModern || plainOutcome(frame) === 'error');
    if (!direct && !this.giveTicket()) return;
    const reply = direct ? job.reply : this.#reply;
    returnAnswer(
      { server: this.server, reply, translate, onFailure },
      frame,
      at,
      isModern ? stampFor('tools/call') : undefined,
    );
  }

  onFailure(error: JunctorError): void {
    const { onFailure, reply, flight } = this.#options.job;
    if (this.#ticketed) {
      if (this.#cancelled) return;
      // The server itself gave the task up.
      if (error.code !== 'cancelled') return onFailure(this.#reply, error);
      this.#say(error.why);
      return this.#reply.abandon();
    }
    if (flight.cancelled) reply.abandon();
    else onFailure(reply, error);
  }

  onProgress(): void {}

  /** The owner, or the end of its token or of the hub, ends it. */
  cancel(reason: string): void {
    if (this.isOver) return;
    this.#cancelled = true;
    this.#reply.abandon();
    this.#withdraw(reason);
  }

  ask(question: Question): Promise<unknown> {
    if (this.isOver) return Promise.reject(new Refusal(REFUSED.inside, 'The call is over.'));
    return this.#questions.ask(question);
  }

  tell(server: string, method: string, params: object): void {
    if (this.session.isParty && !this.session.ended) this.session.tell(server, method, params);
  }

  answer(answers: Readonly<Record<string, unknown>>): void {
    this.#questions.answer(answers);
  }

  /** Resolves once the task is over. Meanwhile the session is asked what the server wants to know. */
  over(session: Session, gone: AbortSignal): Promise<void> {
    if (this.isOver || gone.aborted) return Promise.resolve();
    const stop = this.#questions.askVia(session, gone);
    return new Promise(resolve => {
      const done = (): void => {
        stop();
        this.#waiting.delete(done);
        gone.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      gone.addEventListener('abort', done);
    });
  }

  /** What the server says about the state. False where it says nothing else than before. */
  #say(message: unknown): boolean {
    const text = typeof message === 'string' ? withoutUnseen(message).slice(0, MAX_MESSAGE_CHARS) : undefined;
    if (text === undefined || text === this.statusMessage) return false;
    this.statusMessage = text;
    return true;
  }

  #ended(outcome: TaskOutcome | undefined): void {
    if (this.isOver) return;
    this.endedAt = Date.now();
    if (this.#ticketed) this.#options.job.upstream.tasks.kept--;
    this.outcome = outcome;
    // An end without an answer: the call was given up.
    if (!outcome) this.#cancelled = true;
    this.#questions.end();
    this.#changed();
    for (const done of [...this.#waiting]) done();
  }

  #changed(): void {
    this.updatedAt = new Date();
    if (this.#ticketed) this.#options.keeper.changed(this);
  }
}

function tooMany(server: string): JunctorError {
  return new JunctorError('rate_limited', `No more tasks of server '${server}' can be kept for this client.`, {
    server,
    why: 'as many of its tasks as are kept are still running',
    hint: 'wait until one of them is over, or cancel one',
  });
}
