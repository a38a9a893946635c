/** Whether calls may run that no rule decides about: asked once, and not again when a client comes back to the same call. */
import { hash } from 'node:crypto';
import { type Clock, type Frame, RPC_CODE } from '@junctor/core/inside';
import { inputsAskedIn } from '../relay/eras/inputs-for-legacy.ts';
import type { ParkedCalls } from '../relay/eras/parked-calls.ts';
import { RequestStates } from '../relay/eras/request-state.ts';
import { whatIsAsked } from '../relay/job.ts';
import { toolError } from '../visit/own-answers.ts';
import { AskedCall, type AskedVisit, type Waiting } from './asked-call.ts';

/** What a call that may run is sent with. */
export interface Passed {
  readonly params: Record<string, unknown>;
  /** Its progress goes on from here. */
  readonly progress: number;
  /** Has to see the answer: where that asks for more, the client comes back, and is not judged anew. */
  readonly heed?: ((frame: Frame) => void) | undefined;
}

/** How long a client may take to come back. A person answers in between. */
const AWAY_MS = 10 * 60_000;
/** So many calls may wait for their clients at once; clients of any more are not asked themselves. */
const MAX_AWAY = 1000;

export class Permits {
  readonly #parked: ParkedCalls;
  readonly #clock: Clock;
  readonly #states: RequestStates;
  readonly #away = new Map<string, AskedCall>();
  /** Calls that were allowed once, and whose servers asked for more: what a client has to come back with. */
  readonly #continued = new Map<string, number>();

  constructor(parked: ParkedCalls, clock: Clock, hub?: string) {
    this.#parked = parked;
    this.#states = new RequestStates(hub);
    this.#clock = clock;
  }

  /** What the call may be sent with. Undefined: it may not, or not now, and its client has been told. */
  async pass(visit: AskedVisit): Promise<Passed | undefined> {
    const { request, caller, noted, reply, flight } = visit;
    const { requestState, inputResponses } = request.params;
    if (requestState !== undefined || inputResponses !== undefined) {
      if (this.#wasAllowed(visit)) {
        noted.ruled({ word: 'allow', because: 'it was allowed before, and its server asked for more', allowed: true });
        return { params: request.params, progress: 0, heed: this.#heed(visit) };
      }
    }
    const id = this.#states.open(requestState, caller.session.principal, Date.now());
    const known = id === undefined ? undefined : this.#away.get(id);
    if (id !== undefined && known?.what !== whatIsAsked(visit)) {
      reply.error(RPC_CODE.invalidParams, 'The requestState is of another call, or the call it belongs to is over.');
      return undefined;
    }
    // Nobody is bothered about a call that a lockfile keeps from running anyway.
    const withheld = await visit.host.withheld(visit.ref);
    if (withheld) throw withheld;
    const call = known ?? new AskedCall(visit, this.#waitingFor(visit));
    this.#away.delete(call.id);
    try {
      const permission = await (known ? call.resume(visit) : call.decided(visit));
      if (!permission) return undefined;
      noted.ruled(permission);
      if (flight.cancelled) reply.abandon();
      else if (!permission.allowed) toolError(reply, permission.sentence, caller.era === 'modern');
      else return { params: own(request.params, known), progress: call.progress, heed: this.#heed(visit) };
    } catch (error) {
      if (!flight.cancelled) throw error;
      reply.abandon();
    }
    return undefined;
  }

  /** These may not come back. */
  endOf(principals: ReadonlySet<string>, reason: string): void {
    for (const call of [...this.#away.values()]) if (principals.has(call.principal)) call.withdraw(reason);
  }

  /** Nobody comes back any more. */
  close(): void {
    for (const call of [...this.#away.values()]) call.withdraw('the hub is closing');
  }

  #waitingFor({ caller }: AskedVisit): Waiting {
    return {
      clock: this.#clock,
      take: call => {
        if (this.#away.size >= MAX_AWAY) return undefined;
        this.#away.set(call.id, call);
        const state = this.#states.seal(call.id, caller.session.principal, Date.now() + AWAY_MS);
        return { state, expiresInMs: AWAY_MS };
      },
      leave: call => this.#away.delete(call.id),
    };
  }

  #wasAllowed(visit: AskedVisit): boolean {
    const { request, caller, ref } = visit;
    if (this.#parked.awaits(request.params.requestState, caller, whatIsAsked(visit), ref.server)) return true;
    const key = continuation(visit, request.params.requestState);
    const until = this.#continued.get(key);
    this.#continued.delete(key);
    return until !== undefined && until > Date.now();
  }

  /** Only a client of the newer era comes back itself to what its server asked. */
  #heed(visit: AskedVisit): Passed['heed'] {
    if (visit.caller.era !== 'modern') return undefined;
    return frame => {
      const asked = inputsAskedIn(frame);
      if (!asked) return;
      const [oldest] = this.#continued.keys();
      if (this.#continued.size >= MAX_AWAY && oldest !== undefined) this.#continued.delete(oldest);
      this.#continued.set(continuation(visit, asked.requestState), Date.now() + AWAY_MS);
    };
  }
}

/** Good for one client, one call and one state of its server. */
function continuation(visit: AskedVisit, requestState: unknown): string {
  const { principal } = visit.caller.session;
  return hash('sha256', [principal, whatIsAsked(visit), String(requestState ?? '')].join('\0'), 'base64url');
}

/** What the client said to us is not for the server. */
function own(params: Record<string, unknown>, resumed: AskedCall | undefined): Record<string, unknown> {
  if (!resumed) return params;
  const { inputResponses: _responses, requestState: _state, ...rest } = params;
  return rest;
}
