/** One call of a newer client at an older server. It lives as long as the server works on it, through several requests. */
import { randomUUID } from 'node:crypto';
import type { JunctorError, ServerLogLevel } from '@junctor/core';
import {
  type AnswerId,
  type Frame,
  MethodNotFound,
  nestsTooDeeply,
  type PageToVisit,
  type ProgressParams,
  REFUSED,
  Refusal,
  RPC_CODE,
  type Suspendable,
  type SuspendedCalls,
} from '@junctor/core/internal';
import type { Party, Question } from '../../visit/party.ts';
import type { Session } from '../../visit/session.ts';
import { stampFor } from '../../visit/stamp.ts';
import { CallParty } from '../call-party.ts';
import { Delivery, type DeliveryListener } from '../delivery.ts';
import { AnswerError, dressedFor, heldUp, type Job, progressTokenOf, whatIsAsked, whatOf } from '../job.ts';
import { returnAnswer } from '../return-answer.ts';
import { TaskDelivery } from '../tasks/task-delivery.ts';
import { cannotVisit, modernErrors, pagesAskedIn, sendToPages } from './pages-for-modern.ts';

interface OpenQuestion {
  readonly request: { readonly method: string; readonly params: unknown };
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** A server that never has enough must not keep a client for ever. */
const MAX_ROUNDS = 20;
const NEVER_CONTENT = new AnswerError(
  RPC_CODE.serverFailed,
  `The server asked for a page ${MAX_ROUNDS} times.`,
  undefined,
);

/** Only these may be answered with questions. */
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);

export class ParkedCall implements Party, DeliveryListener, Suspendable {
  readonly id: string = randomUUID();
  readonly what: string;
  /** The request that is answered next. None while the client is away. */
  #job: Job | undefined;
  readonly #first: Job;
  readonly #suspended: SuspendedCalls<ParkedCall>;
  readonly #open = new Map<string, OpenQuestion>();
  #asked = 0;
  #delivery: Delivery | TaskDelivery | undefined;
  readonly #followed: boolean;
  /** What came while the client was away. */
  #outcome: ((job: Job) => void) | undefined;
  readonly #ended = new AbortController();
  #rounds = 0;

  /** `followed`: it runs as a task, of which its client knows nothing. */
  constructor(job: Job, suspended: SuspendedCalls<ParkedCall>, followed = false) {
    this.#first = job;
    this.#followed = followed;
    this.#job = job;
    this.#suspended = suspended;
    this.what = whatOf(job.request);
  }

  get owner(): string {
    return this.session.principal;
  }

  get server(): string {
    return this.#first.upstream.server.id;
  }

  /** The server, the tool and the arguments it was begun with. */
  get asked(): string {
    const { request } = this.#first;
    return whatIsAsked({ ref: { server: this.server, tool: String(request.params.name) }, request });
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return (this.#job ?? this.#first).caller.capabilities;
  }

  get logLevel(): ServerLogLevel | undefined {
    return (this.#job ?? this.#first).caller.logLevel;
  }

  get session(): Session {
    return this.#first.caller.session;
  }

  get away(): boolean {
    return this.#job === undefined;
  }

  /** Sends it. False where its turn did not come. */
  async begin(): Promise<boolean> {
    const { upstream, request, departure } = this.#first;
    const { crowd } = upstream;
    const passage = await crowd.enter(this, this.what);
    if (!passage) return false;
    try {
      const link = upstream.live ?? (await upstream.ready());
      if (this.logLevel) await upstream.wantLevel();
      if (!this.#cancelled) await departure?.sending();
      if (this.#cancelled) {
        departure?.stayed();
        crowd.leave(passage);
        this.#job?.reply.abandon();
        return true;
      }
      const params = dressedFor(link, this.#first);
      this.#delivery = this.#followed
        ? new TaskDelivery(this.#first, { party: this, passage, link }, params, this)
        : new Delivery(this.#first, passage, link, { method: request.method, params }, this);
    } catch (error) {
      crowd.leave(passage);
      throw error;
    }
    this.#job?.flight.sent(reason => this.withdraw(reason));
    this.#delivery.send();
    return true;
  }

  get #cancelled(): boolean {
    return this.#ended.signal.aborted || (this.#job?.flight.cancelled ?? false);
  }

  /** The client is back, with answers. What it left open is asked again. */
  resume(job: Job): void {
    this.#suspended.resumed(this);
    // A second request for the same call takes the place of the first, which nobody can be reading any more.
    this.#job?.reply.abandon();
    this.#job = job;
    // The call itself left long ago.
    job.departure?.sending();
    job.flight.server = this.#first.upstream.server.id;
    job.flight.sent(reason => this.withdraw(reason));
    const answers = (job.request.params.inputResponses ?? {}) as Record<string, unknown>;
    for (const [key, { resolve }] of [...this.#open]) {
      if (!Object.hasOwn(answers, key)) continue;
      this.#open.delete(key);
      resolve(answers[key]);
    }
    if (this.#outcome) this.#deliver(this.#outcome);
    else if (this.#open.size > 0) this.#returnQuestions();
  }

  withdraw(reason: string): void {
    this.#delivery?.cancel(reason);
    this.#end();
  }

  ask({ method, params, signal }: Question): Promise<unknown> {
    if (!MAY_ASK.has(this.#first.request.method))
      return Promise.reject(new MethodNotFound(`A client of this era is not asked while it waits for ${this.what}.`));
    const key = `q${++this.#asked}`;
    return new Promise((resolve, reject) => {
      this.#open.set(key, { request: { method, params }, resolve, reject });
      signal.addEventListener('abort', () => {
        if (this.#open.delete(key)) reject(signal.reason);
      });
      // Questions that the server asks at once are put at once.
      setImmediate(() => this.#returnQuestions());
    });
  }

  tell(server: string, method: string, params: object): void {
    if (this.#job) new CallParty(this.#job.caller, this.#job.reply).tell(server, method, params);
  }

  onBytes(frame: Frame, at: AnswerId): void {
    const { request } = this.#first;
    const pages = MAY_ASK.has(request.method) ? pagesAskedIn(frame) : undefined;
    if (pages) return void this.#visit(pages);
    const translate = modernErrors(this.#first);
    const stamp = stampFor(request.method);
    this.#deliver(({ reply, onFailure }) =>
      returnAnswer({ server: this.server, reply, translate, onFailure }, frame, at, stamp),
    );
  }

  onProgress(progress: ProgressParams): void {
    if (!this.#job) return;
    const progressToken = progressTokenOf(this.#job.request);
    if (progressToken !== undefined) this.#job.reply.notify('notifications/progress', { ...progress, progressToken });
  }

  onFailure(error: JunctorError): void {
    this.#deliver(({ reply, flight, onFailure }) => {
      if (flight.cancelled) reply.abandon();
      else onFailure(reply, error);
    });
  }

  /** The client is sent to the pages, and the request is made again. A server that wants more says so again. */
  async #visit(pages: readonly PageToVisit[]): Promise<void> {
    const lacking = this.#rounds++ < MAX_ROUNDS ? cannotVisit(this) : NEVER_CONTENT;
    if (lacking) return this.#deliver(({ reply }) => reply.error(lacking.code, lacking.message, lacking.data));
    try {
      await sendToPages(pages, { server: this.server, party: this, signal: this.#ended.signal });
      if (!(await this.begin())) throw heldUp(this.server);
    } catch (error) {
      this.onFailure(error as JunctorError);
    }
  }

  #deliver(outcome: (job: Job) => void): void {
    const job = this.#job;
    // The answer waits for the client, as long as its place is kept.
    if (!job) {
      this.#outcome = outcome;
      return;
    }
    this.#end();
    outcome(job);
  }

  #returnQuestions(): void {
    const job = this.#job;
    if (!job || this.#open.size === 0) return;
    const inputRequests = Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
    // No client could read them either.
    if (nestsTooDeeply(inputRequests)) return this.#refuseAll('The questions are nested too deeply.');
    const requestState = this.#suspended.suspend(this);
    if (requestState === undefined) return this.#refuseAll('Too many calls wait for an answer of their clients.');
    this.#job = undefined;
    job.flight.sent(() => {});
    job.reply.result(JSON.stringify({ resultType: 'input_required', inputRequests, requestState }));
  }

  #refuseAll(why: string): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of open) reject(new Refusal(REFUSED.inside, why));
  }

  #end(): void {
    this.#refuseAll('The call is over.');
    this.#ended.abort();
    this.#suspended.over(this);
  }
}
