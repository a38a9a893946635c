/** Decides about calls of clients, through `authorize`: a client that comes back to the same call is not asked about it again. */
import { hash } from 'node:crypto';
import type { AuthorizeDeps, Decision } from '@junctor/core';
import {
  type Clock,
  type Frame,
  MAX_SUSPENDED,
  NO_SUCH_CALL,
  RPC_CODE,
  SUSPENDED_MS,
  SuspendedCalls,
} from '@junctor/core/internal';
import { inputsAskedIn } from '../relay/eras/inputs-for-legacy.ts';
import type { ParkedCalls } from '../relay/eras/parked-calls.ts';
import { whatIsAsked } from '../relay/job.ts';
import { refuseCall } from '../visit/own-answers.ts';
import { AskedCall, type CallRequest } from './asked-call.ts';

/** What a call that may run is sent with. */
export interface Passed {
  readonly params: Record<string, unknown>;
  /** Its progress goes on from here. */
  readonly progress: number;
  /** Has to see the answer: where that asks for more, the client comes back, and is not judged anew. */
  readonly heed?: ((frame: Frame) => void) | undefined;
}

export class Permits {
  readonly #parked: ParkedCalls;
  readonly #clock: Clock;
  /** Calls whose clients have the question. Clients of any more than fit are not asked themselves. */
  readonly #suspended: SuspendedCalls<AskedCall>;
  /** Calls that were allowed once, and whose servers asked for more: what a client has to come back with. */
  readonly #continued = new Map<string, number>();

  constructor(parked: ParkedCalls, clock: Clock, hub?: string) {
    this.#parked = parked;
    this.#clock = clock;
    this.#suspended = new SuspendedCalls({ hub });
  }

  /**
   * What the call may be sent with. Undefined: it may not, or not now, and its client has been answered. At once where nobody
   * has to be asked: each wait would cost every call.
   */
  pass(visit: CallRequest): Passed | undefined | Promise<Passed | undefined> {
    const { requestState, inputResponses } = visit.request.params;
    if (requestState === undefined && inputResponses === undefined) return this.#begin(visit);
    return this.#resumed(visit, requestState);
  }

  /** `continues`: the server may ask once more, and its client come back once more. */
  #begin(visit: CallRequest, continues = false): Passed | undefined | Promise<Passed | undefined> {
    const { host, noted, special } = visit;
    const asked = new AskedCall(visit, this.#suspended, this.#clock);
    const decision = host.authorize(noted.call, asked, special);
    if (decision instanceof Promise) return this.#settled(visit, asked, asked.decided(visit, decision));
    return this.#passed(visit, asked, decision, continues);
  }

  /** The client comes back: to its own call that waits for approval, or to one whose server asked for more. */
  #resumed(visit: CallRequest, requestState: unknown): Passed | undefined | Promise<Passed | undefined> {
    const { caller, reply, request, special } = visit;
    const known = this.#suspended.find(requestState, caller.session.principal);
    if (known === undefined)
      return this.#begin({ ...visit, special: { ...special, judge: this.#judgeAgain(visit) } }, true);
    if (known === 'over' || known.what !== whatIsAsked(visit)) {
      reply.error(RPC_CODE.invalidParams, NO_SUCH_CALL);
      return undefined;
    }
    // A state is good once: the client gets another one with the next question.
    this.#suspended.over(known);
    // What the client answered to us is not for the server.
    const { inputResponses: _responses, requestState: _state, ...params } = request.params;
    return this.#settled({ ...visit, request: { ...request, params } }, known, known.resume(visit));
  }

  async #settled(
    visit: CallRequest,
    asked: AskedCall,
    deciding: Promise<Decision | undefined>,
  ): Promise<Passed | undefined> {
    const { flight, reply } = visit;
    try {
      const decision = await deciding;
      if (!decision) return undefined;
      if (!flight.cancelled) return this.#passed(visit, asked, decision);
      visit.noted.judged(visit.noted.call, decision);
    } catch (error) {
      if (!flight.cancelled) throw error;
    }
    reply.abandon();
    return undefined;
  }

  #passed(visit: CallRequest, asked: AskedCall, decision: Decision, continues = false): Passed | undefined {
    const { host, reply, caller, request, noted } = visit;
    noted.judged(noted.call, decision);
    if (decision.effect === 'deny') {
      refuseCall({ host }, reply, decision, caller.era === 'modern');
      return undefined;
    }
    // What the rules allow, they allow again when the client comes back.
    const heed = continues || decision.by !== 'rule' ? this.#heed(visit) : undefined;
    return { params: request.params, progress: asked.progress, heed };
  }

  /** A call that was approved when it began is not asked about again because its server asked for more. */
  #judgeAgain(visit: CallRequest): AuthorizeDeps['judge'] {
    const { host, ref, special, caller } = visit;
    return call => {
      const { agent } = caller.session.identity;
      const verdict = special?.judge?.(call) ?? host.judge(ref.server, ref.tool, call.arguments, agent);
      if (verdict.effect !== 'ask' || !this.#wasAllowed(visit)) return verdict;
      return { effect: 'allow', because: 'it was allowed before, and its server asked for more' };
    };
  }

  /** These may not come back. */
  endOf(principals: ReadonlySet<string>, reason: string): void {
    this.#suspended.endOf(principals, reason);
  }

  /** Nobody comes back any more. */
  close(): void {
    this.#suspended.close('the hub is closing');
  }

  #wasAllowed(visit: CallRequest): boolean {
    const { request, caller, ref } = visit;
    if (this.#parked.awaits(request.params.requestState, caller, whatIsAsked(visit), ref.server)) return true;
    const key = continuation(visit, request.params.requestState);
    const until = this.#continued.get(key);
    this.#continued.delete(key);
    return until !== undefined && until > Date.now();
  }

  /** Only a client of the newer era comes back itself to what its server asked. */
  #heed(visit: CallRequest): Passed['heed'] {
    if (visit.caller.era !== 'modern') return undefined;
    return frame => {
      const asked = inputsAskedIn(frame);
      if (!asked) return;
      const [oldest] = this.#continued.keys();
      if (this.#continued.size >= MAX_SUSPENDED && oldest !== undefined) this.#continued.delete(oldest);
      this.#continued.set(continuation(visit, asked.requestState), Date.now() + SUSPENDED_MS);
    };
  }
}

/** Good for one client, one call and one state of its server. */
function continuation(visit: CallRequest, requestState: unknown): string {
  const { principal } = visit.caller.session;
  return hash('sha256', [principal, whatIsAsked(visit), JSON.stringify(requestState ?? '')].join('\0'), 'base64url');
}
