/**
 * Calls of clients of the 2026-07-28 era at servers of the older one. When such a server asks something in the middle of a
 * call, the call is parked: the client gets the question as its answer, and comes back to the same call with what it says.
 */
import { RPC_CODE } from '@junctor/core/inside';
import type { Job } from '../job.ts';
import { whatOf } from '../job.ts';
import { ParkedCall } from './parked-call.ts';
import { RequestStates } from './request-state.ts';

/** How long a client may take to come back. A person answers in between. */
const PARKED_MS = 10 * 60_000;
/** So many calls may wait for their clients at once. */
const MAX_PARKED = 1000;

export class ParkedCalls {
  readonly #calls = new Map<string, ParkedCall>();
  readonly #states: RequestStates;

  constructor(hub?: string) {
    this.#states = new RequestStates(hub);
  }

  /** Begins a call, or goes on with the one that the request belongs to. False where its turn did not come. */
  async carry(job: Job): Promise<boolean> {
    const { request, caller, reply } = job;
    const { requestState } = request.params;
    if (requestState === undefined) return this.#begin(job);
    const id = this.#states.open(requestState, caller.session.principal, Date.now());
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (call?.what === whatOf(request)) call.resume(job);
    else
      reply.error(RPC_CODE.invalidParams, 'The requestState is not one of yours, or the call it belongs to is over.');
    return true;
  }

  /** Whether this client comes back to this call, which was allowed when it was begun. */
  awaits(requestState: unknown, { session }: Job['caller'], asked: string, server: string): boolean {
    const id = this.#states.open(requestState, session.principal, Date.now());
    const call = id === undefined ? undefined : this.#calls.get(id);
    return call?.server === server && call.asked === asked;
  }

  /** Ends calls of clients that may not come back. */
  endOf(principals: ReadonlySet<string>, reason: string): void {
    for (const call of [...this.#calls.values()]) if (principals.has(call.session.principal)) call.cancel(reason);
  }

  /** Ends every call that waits for its client. */
  close(): void {
    for (const call of this.#calls.values()) call.cancel('the hub is closing');
  }

  #begin(job: Job): Promise<boolean> {
    const call = new ParkedCall(job, {
      park: parked => {
        if (this.#calls.size >= MAX_PARKED && !this.#calls.has(parked.id)) return undefined;
        this.#calls.set(parked.id, parked);
        const expiresAt = Date.now() + PARKED_MS;
        return { state: this.#states.seal(parked.id, job.caller.session.principal, expiresAt), expiresInMs: PARKED_MS };
      },
      over: ended => this.#calls.delete(ended.id),
    });
    return call.begin();
  }
}
