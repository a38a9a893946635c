/**
 * One call that waits for a yes: at the inbox, and in its own client where that can ask its person. A client of the older
 * era is asked with a request; one of 2026-07-28 gets the question as its answer, and comes back to the call with what was
 * said. Whoever answers first settles it for all.
 */
import { randomUUID } from 'node:crypto';
import {
  type Host,
  JunctorError,
  type PendingApproval,
  type Permission,
  type Question,
  type ScopedAnswer,
  type ToolRef,
} from '@junctor/core';
import type { Clock, Heartbeat } from '@junctor/core/inside';
import type { NotedCall } from '../calls/door-notes.ts';
import { progressTokenOf, whatIsAsked } from '../relay/job.ts';
import type { Flight } from '../visit/flight.ts';
import { canBeAsked } from '../visit/party.ts';
import type { Reply } from '../visit/reply.ts';
import type { Caller, Request } from '../visit/room.ts';
import { answerIn, approvalForm, ELICITATION } from './client-question.ts';

/** A request for a call that no rule decides about. */
export interface AskedVisit {
  readonly host: Host;
  readonly ref: ToolRef;
  readonly agent: string | undefined;
  /** Whether the client may ask its own person. */
  readonly inClient: boolean;
  readonly request: Request;
  readonly reply: Reply;
  readonly flight: Flight;
  readonly caller: Caller;
  readonly noted: NotedCall;
}

/** Where calls wait whose clients have the question. */
export interface Waiting {
  readonly clock: Clock;
  /** A place, and the token for it; undefined where all are taken. */
  take(call: AskedCall): { readonly state: string; readonly expiresInMs: number } | undefined;
  leave(call: AskedCall): void;
}

interface OpenQuestion {
  readonly shown: PendingApproval;
  readonly say: (answer: ScopedAnswer) => void;
}

const KEY = 'approval';

export class AskedCall {
  readonly id: string = randomUUID();
  /** What is asked about: nothing else may run by the same answer. */
  readonly what: string;
  /** Who may come back to it. */
  readonly principal: string;
  readonly #waiting: Waiting;
  readonly #inClient: boolean;
  readonly #abort = new AbortController();
  readonly #permission: Promise<Permission>;
  /** The request that is answered next. None while the client has the question. */
  #visit: AskedVisit | undefined;
  #open: OpenQuestion | undefined;
  /** The question that the client was given. */
  #given: string | undefined;
  #handOver: () => void = () => {};
  #heartbeat: Heartbeat | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopGrace: () => void = () => {};

  constructor(visit: AskedVisit, waiting: Waiting) {
    const { host, ref, agent, caller } = visit;
    this.#visit = visit;
    this.#waiting = waiting;
    this.#inClient = visit.inClient;
    this.what = whatIsAsked(visit);
    this.principal = caller.session.principal;
    const ask = (question: Question): Promise<ScopedAnswer> => this.#ask(question);
    const options = { ask, signal: this.#abort.signal, session: caller.session.id, agent };
    this.#permission = Promise.resolve(host.permit(ref, visit.request.params.arguments, options));
    // Whoever waits is told; while the client is away, nobody does.
    this.#permission.catch(() => {});
  }

  /** How far the progress of the call has been told. */
  get progress(): number {
    return this.#heartbeat?.value ?? 0;
  }

  /** What was decided; undefined where the client was given the question instead, as the answer to this request. */
  async decided(visit: AskedVisit): Promise<Permission | undefined> {
    this.#visit = visit;
    visit.flight.server = visit.ref.server;
    visit.flight.sent(reason => this.withdraw(reason));
    if (visit.flight.cancelled) this.withdraw('the client cancelled it');
    const handedOver = new Promise<undefined>(resolve => {
      this.#handOver = () => resolve(undefined);
    });
    try {
      return await Promise.race([this.#permission, handedOver]);
    } finally {
      this.#heartbeat?.[Symbol.dispose]();
      this.#stopGrace();
    }
  }

  /** The client is back, with an answer or without one. */
  resume(visit: AskedVisit): Promise<Permission | undefined> {
    clearTimeout(this.#timer);
    const deciding = this.decided(visit);
    const responses = (visit.request.params.inputResponses ?? {}) as Record<string, unknown>;
    const answer = answerIn(responses[KEY], visit.caller.session.client.name);
    const open = this.#open;
    if (open && answer && open.shown.id === this.#given) open.say(answer);
    else if (open) this.#put(open.shown);
    return deciding;
  }

  /** Nobody waits for it any more. */
  withdraw(reason: string): void {
    clearTimeout(this.#timer);
    this.#waiting.leave(this);
    this.#abort.abort(new JunctorError('cancelled', reason));
  }

  #ask(question: Question): Promise<ScopedAnswer> {
    const { host, caller, ref } = this.#visit ?? {};
    return new Promise((resolve, reject) => {
      const shown = host?.approvals.list().find(({ id }) => id === question.id);
      // The client is away, with a question that is no longer the one: it is put again when it comes back.
      if (!shown || !caller || !ref) return;
      this.#open = { shown, say: resolve };
      question.signal?.addEventListener('abort', () => {
        this.#open = undefined;
      });
      this.#put(shown);
      if (caller.era === 'modern' || !this.#mayAsk(caller)) return;
      const { session } = caller;
      const signal = question.signal as AbortSignal;
      const asked = { server: ref.server, method: ELICITATION, params: approvalForm(shown), signal };
      session.ask(asked).then(result => {
        const answer = answerIn(result, session.client.name);
        if (answer) resolve(answer);
      }, reject);
    });
  }

  /** Gives the question to a client that can take it; any other is kept alive until somebody has answered. */
  #put(shown: PendingApproval): void {
    const visit = this.#visit;
    if (!visit) return;
    const { caller, reply, flight, noted } = visit;
    noted.asked(shown.because);
    const fresh = this.#given !== shown.id;
    const place = fresh && caller.era === 'modern' && this.#mayAsk(caller) ? this.#waiting.take(this) : undefined;
    if (!place) return this.#keepAlive(visit);
    this.#given = shown.id;
    this.#visit = undefined;
    this.#timer = setTimeout(() => this.withdraw('the client did not come back'), place.expiresInMs).unref();
    flight.sent(() => {});
    const inputRequests = { [KEY]: { method: ELICITATION, params: approvalForm(shown) } };
    reply.result(JSON.stringify({ resultType: 'input_required', inputRequests, requestState: place.state }));
    this.#handOver();
  }

  #mayAsk(caller: Caller): boolean {
    return this.#inClient && canBeAsked(caller, FORM);
  }

  #left(reply: Reply): void {
    this.#stopGrace();
    this.#stopGrace = this.#waiting.clock.after(BACK_WITHIN_MS, () => {
      if (!reply.done && !reply.attended) this.withdraw('the client is gone');
    });
  }

  #keepAlive({ host, request, reply, ref }: AskedVisit): void {
    reply.keepOpen(() => this.#left(reply));
    const progressToken = progressTokenOf(request);
    if (progressToken === undefined) return;
    const above = this.progress;
    this.#heartbeat?.[Symbol.dispose]();
    this.#heartbeat = host.heartbeats.begin(
      ({ elapsed_ms: _, ...sign }) => reply.notify('notifications/progress', { ...sign, progressToken }),
      above,
    );
    this.#heartbeat.progress({ progress: 0, message: `waiting for a person to allow '${ref.tool}'` });
  }
}

/** A client that lost its stream is back within moments, or gone for good: then nothing runs for it any more. */
const BACK_WITHIN_MS = 30_000;

const FORM = { method: ELICITATION, params: { mode: 'form' } };
