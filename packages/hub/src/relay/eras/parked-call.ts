/** One call of a newer client at an older server. It lives as long as the server works on it, through several requests. */
import { randomUUID } from 'node:crypto';
import type { JunctorError, ServerLogLevel } from '@junctor/core';
import {
  type AnswerId,
  type AnswerMessage,
  type Frame,
  MethodNotFound,
  type ProgressParams,
  REFUSED,
  Refusal,
  RPC_CODE,
} from '@junctor/core/inside';
import type { Party, Question } from '../../visit/party.ts';
import { readAnswer } from '../../visit/reply.ts';
import type { Session } from '../../visit/session.ts';
import { stampFor } from '../../visit/stamp.ts';
import { CallParty } from '../call-party.ts';
import { Delivery, type DeliveryListener } from '../delivery.ts';
import { dressedFor, type Job, progressTokenOf, whatIsAsked, whatOf } from '../job.ts';
import { returnAnswer } from '../return-answer.ts';

export interface Parking {
  /** A place to wait at, and the token for it; undefined where all are taken. */
  park(call: ParkedCall): { readonly state: string; readonly expiresInMs: number } | undefined;
  over(call: ParkedCall): void;
}

interface OpenQuestion {
  readonly request: { readonly method: string; readonly params: unknown };
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Only these may be answered with questions. */
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);

export class ParkedCall implements Party, DeliveryListener {
  readonly id: string = randomUUID();
  readonly what: string;
  /** The request that is answered next. None while the client is away. */
  #job: Job | undefined;
  readonly #first: Job;
  readonly #parking: Parking;
  readonly #open = new Map<string, OpenQuestion>();
  #asked = 0;
  #delivery: Delivery | undefined;
  /** What came while the client was away. */
  #outcome: ((job: Job) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(job: Job, parking: Parking) {
    this.#first = job;
    this.#job = job;
    this.#parking = parking;
    this.what = whatOf(job.request);
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

  /** False where its turn did not come. */
  async begin(): Promise<boolean> {
    const { upstream, flight, reply, request, departure } = this.#first;
    const { crowd } = upstream;
    const passage = await crowd.enter(this, this.what);
    if (!passage) return false;
    try {
      const link = upstream.live ?? (await upstream.ready());
      if (this.logLevel) await upstream.wantLevel();
      if (!flight.cancelled) await departure?.sending();
      if (flight.cancelled) {
        departure?.stayed();
        crowd.leave(passage);
        reply.abandon();
        return true;
      }
      const params = dressedFor(link, this.#first);
      this.#delivery = new Delivery(this.#first, passage, link, { method: request.method, params }, this);
    } catch (error) {
      crowd.leave(passage);
      throw error;
    }
    flight.sent(reason => this.cancel(reason));
    this.#delivery.send();
    return true;
  }

  /** The client is back, with answers. What it left open is asked again. */
  resume(job: Job): void {
    clearTimeout(this.#timer);
    // A second request for the same call takes the place of the first, which nobody can be reading any more.
    this.#job?.reply.abandon();
    this.#job = job;
    // The call itself left long ago.
    job.departure?.sending();
    job.flight.server = this.#first.upstream.server.id;
    job.flight.sent(reason => this.cancel(reason));
    const answers = (job.request.params.inputResponses ?? {}) as Record<string, unknown>;
    for (const [key, { resolve }] of [...this.#open]) {
      if (!Object.hasOwn(answers, key)) continue;
      this.#open.delete(key);
      resolve(answers[key]);
    }
    if (this.#outcome) this.#deliver(this.#outcome);
    else if (this.#open.size > 0) this.#returnQuestions();
  }

  cancel(reason: string): void {
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
    const { request, translate } = this.#first;
    const stamp = stampFor(request.method);
    this.#deliver(({ reply, onFailure }) => {
      const missing = request.method === 'resources/read' ? notFoundIn(frame) : undefined;
      if (missing) return reply.error(RPC_CODE.invalidParams, String(missing.message), missing.data);
      returnAnswer({ reply, translate, onFailure }, frame, at, stamp);
    });
  }

  onMessage({ error, result }: AnswerMessage): void {
    const stamp = JSON.parse(`{${stampFor(this.#first.request.method)}}`) as object;
    this.#deliver(({ reply }) => {
      if (error) reply.error(error.code, error.message, error.data);
      else reply.result(JSON.stringify({ ...stamp, ...(result as object) }));
    });
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
    const place = this.#parking.park(this);
    if (!place) return this.#refuseAll('Too many calls wait for an answer of their clients.');
    this.#job = undefined;
    const inputRequests = Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
    const { state: requestState, expiresInMs } = place;
    this.#timer = setTimeout(() => this.cancel('the client did not come back'), expiresInMs).unref();
    job.flight.sent(() => {});
    job.reply.result(JSON.stringify({ resultType: 'input_required', inputRequests, requestState }));
  }

  #refuseAll(why: string): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of open) reject(new Refusal(REFUSED.inside, why));
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#refuseAll('The call is over.');
    this.#parking.over(this);
  }
}

/** The error of a server that has no such resource, in the words of the older era. */
function notFoundIn(frame: Frame): { readonly message?: unknown; readonly data?: unknown } | undefined {
  if (!frame.some(piece => piece.includes(String(RPC_CODE.resourceNotFound)))) return undefined;
  const { error } = readAnswer(frame);
  return error?.code === RPC_CODE.resourceNotFound ? error : undefined;
}
