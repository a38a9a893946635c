/**
 * One call that waits for approval: in the inbox, and in its own client where that can ask its person. A client of the older
 * era is asked with a request; one of 2026-07-28 gets the question as its answer, and comes back to the call with what was
 * said. Whoever answers first settles it for all.
 */
import { randomUUID } from 'node:crypto';
import {
  type AuthorizeDeps,
  type AuthorizeOptions,
  type Decision,
  type Host,
  JunctorError,
  type PendingApproval,
  type Question,
  type ScopedAnswer,
  type ToolRef,
} from '@junctor/core';
import type { Clock, Heartbeat, Suspendable, SuspendedCalls } from '@junctor/core/internal';
import type { NotedCall } from '../calls/door-notes.ts';
import { progressTokenOf, whatIsAsked } from '../relay/job.ts';
import type { Flight } from '../visit/flight.ts';
import { canBeAsked } from '../visit/party.ts';
import type { Reply } from '../visit/reply.ts';
import type { Caller, Request } from '../visit/room.ts';
import type { Session } from '../visit/session.ts';
import { answerIn, approvalForm, approvesInClient, ELICITATION, type FormKind } from './client-question.ts';

/** A call of a client that is to be decided about. */
export interface CallRequest {
  readonly host: Host;
  readonly ref: ToolRef;
  /** What the decision is made from, where this endpoint or this request differs from the host's own calls. */
  readonly special?: Partial<AuthorizeDeps> | undefined;
  readonly request: Request;
  readonly reply: Reply;
  readonly flight: Flight;
  readonly caller: Caller;
  readonly noted: NotedCall;
}

interface OpenQuestion {
  readonly shown: PendingApproval;
  readonly say: (answer: ScopedAnswer) => void;
}

const KEY = 'approval';

/** How `authorize` reaches the person. Nearly every call is decided without one, so nothing is made before it is asked. */
export class AskedCall implements AuthorizeOptions, Suspendable {
  readonly #first: CallRequest;
  readonly #suspended: SuspendedCalls<AskedCall>;
  readonly #clock: Clock;
  /** The request that is answered next. None while the client has the question. */
  #visit: CallRequest | undefined;
  #id: string | undefined;
  #abort: AbortController | undefined;
  #decision: Promise<Decision> | undefined;
  #open: OpenQuestion | undefined;
  /** The question that the client was given. */
  #given: string | undefined;
  /** The forms that it was given in, each once: a client must not keep a call busy with questions. */
  readonly #forms = new Set<FormKind>();
  #handOver: () => void = () => {};
  #heartbeat: Heartbeat | undefined;
  #stopGrace: () => void = () => {};

  constructor(visit: CallRequest, suspended: SuspendedCalls<AskedCall>, clock: Clock) {
    this.#first = visit;
    this.#visit = visit;
    this.#suspended = suspended;
    this.#clock = clock;
  }

  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  /** What is asked about: nothing else may run by the same answer. */
  get what(): string {
    return whatIsAsked(this.#first);
  }

  /** Who may come back to it. */
  get owner(): string {
    return this.#first.caller.session.principal;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  get ask(): (question: Question) => Promise<ScopedAnswer> {
    return question => this.#ask(question);
  }

  /** How far the progress of the call has been told. */
  get progress(): number {
    return this.#heartbeat?.value ?? 0;
  }

  /** What is decided in the end; undefined where the client was given the question instead, as the answer to this request. */
  async decided(visit: CallRequest, decision?: Promise<Decision>): Promise<Decision | undefined> {
    if (decision) {
      this.#decision = decision;
      // While the client is away, nobody waits for it.
      decision.catch(() => {});
    }
    this.#visit = visit;
    visit.flight.server = visit.ref.server;
    visit.flight.sent(reason => this.withdraw(reason));
    if (visit.flight.cancelled) this.withdraw('the client cancelled it');
    const handedOver = new Promise<undefined>(resolve => {
      this.#handOver = () => resolve(undefined);
    });
    try {
      return await Promise.race([this.#decision as Promise<Decision>, handedOver]);
    } finally {
      this.#heartbeat?.[Symbol.dispose]();
      this.#stopGrace();
      await visit.reply.released();
    }
  }

  /** The client is back, with an answer or without one. */
  resume(visit: CallRequest): Promise<Decision | undefined> {
    const deciding = this.decided(visit);
    const responses = (visit.request.params.inputResponses ?? {}) as Record<string, unknown>;
    const answer = answerIn(responses[KEY], visit.caller.session.identity);
    const open = this.#open;
    const isMeant = open?.shown.id === this.#given;
    if (open && answer && isMeant && typeof answer !== 'string') open.say(answer);
    else if (open) this.#put(open.shown, isMeant && typeof answer === 'string' ? answer : 'short');
    return deciding;
  }

  /** Nobody waits for it any more. */
  withdraw(reason: string): void {
    this.#suspended.over(this);
    this.#abort ??= new AbortController();
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
      this.#askSession(shown, { server: ref.server, session: caller.session, signal: question.signal as AbortSignal })
        .then(answer => answer && resolve(answer))
        .catch(reject);
    });
  }

  /** Asks a client of the older era: once more with the reason where `always` is refused, or with all of the arguments. */
  async #askSession(
    shown: PendingApproval,
    { server, session, signal }: { readonly server: string; readonly session: Session; readonly signal: AbortSignal },
  ): Promise<ScopedAnswer | undefined> {
    const asked = new Set<FormKind>();
    for (let kind: FormKind = 'short'; !asked.has(kind); ) {
      asked.add(kind);
      const params = approvalForm(shown, kind);
      const answer = answerIn(await session.ask({ server, method: ELICITATION, params, signal }), session.identity);
      if (typeof answer !== 'string') return answer;
      kind = answer;
    }
    return undefined;
  }

  /**
   * Gives the question to a client that can take it, in each form once; any other is kept alive until somebody has answered.
   */
  #put(shown: PendingApproval, kind: FormKind = 'short'): void {
    const visit = this.#visit;
    if (!visit) return;
    const { caller, reply, flight, noted } = visit;
    noted.asked(shown.because);
    if (this.#given !== shown.id) this.#forms.clear();
    const fresh = !this.#forms.has(kind);
    const mayTake = fresh && caller.era === 'modern' && this.#mayAsk(caller);
    const requestState = mayTake ? this.#suspended.suspend(this) : undefined;
    if (requestState === undefined) return this.#keepAlive(visit);
    this.#given = shown.id;
    this.#forms.add(kind);
    this.#visit = undefined;
    flight.sent(() => {});
    const inputRequests = { [KEY]: { method: ELICITATION, params: approvalForm(shown, kind) } };
    reply.result(JSON.stringify({ resultType: 'input_required', inputRequests, requestState }));
    this.#handOver();
  }

  #mayAsk(caller: Caller): boolean {
    return approvesInClient(this.#first.host, caller.session.identity) && canBeAsked(caller, FORM);
  }

  #left(reply: Reply): void {
    this.#stopGrace();
    this.#stopGrace = this.#clock.after(BACK_WITHIN_MS, () => {
      if (!reply.done && !reply.attended) this.withdraw('the client is gone');
    });
  }

  #keepAlive({ host, request, reply, ref }: CallRequest): void {
    reply.keepOpen(() => this.#left(reply));
    const progressToken = progressTokenOf(request);
    if (progressToken === undefined) return;
    const above = this.progress;
    this.#heartbeat?.[Symbol.dispose]();
    this.#heartbeat = host.heartbeats.begin(
      ({ elapsed_ms: _, ...sign }) => reply.notify('notifications/progress', { ...sign, progressToken }),
      above,
    );
    this.#heartbeat.progress({ progress: 0, message: `waiting for a person to approve ${ref.server}/${ref.tool}` });
  }
}

/** A client that lost its stream is back within moments, or gone for good: then nothing runs for it any more. */
const BACK_WITHIN_MS = 30_000;

const FORM = { method: ELICITATION, params: { mode: 'form' } };
