/**
 * Calls of clients of the 2026-07-28 era at servers of the older one. When such a server asks something in the middle of a
 * call, the call is parked: the client gets the question as its answer, and comes back to the same call with what it says.
 */
import { NO_SUCH_CALL, RPC_CODE, SuspendedCalls } from '@junctor/core/internal';
import type { Job } from '../job.ts';
import { whatOf } from '../job.ts';
import { ParkedCall } from './parked-call.ts';

export class ParkedCalls {
  readonly #suspended: SuspendedCalls<ParkedCall>;

  constructor(hub?: string) {
    this.#suspended = new SuspendedCalls({ hub });
  }

  /**
   * Begins a call, or goes on with the one that the request belongs to. False where its turn did not come. `followed`: it
   * runs as a task, of which its client knows nothing.
   */
  async carry(job: Job, followed: boolean): Promise<boolean> {
    const { request, reply } = job;
    const { requestState } = request.params;
    if (!this.knows(requestState, job.caller) && followed) return new ParkedCall(job, this.#suspended, true).begin();
    if (requestState === undefined) return new ParkedCall(job, this.#suspended).begin();
    const call = this.#find(requestState, job.caller);
    if (call?.what === whatOf(request)) call.resume(job);
    else reply.error(RPC_CODE.invalidParams, NO_SUCH_CALL);
    return true;
  }

  /** Whether this client comes back to this call, which was allowed when it was begun. */
  awaits(requestState: unknown, caller: Job['caller'], asked: string, server: string): boolean {
    const call = this.#find(requestState, caller);
    return call?.server === server && call.asked === asked;
  }

  /** Whether a client comes back with this to a call that waits here. */
  knows(requestState: unknown, caller: Job['caller']): boolean {
    return requestState !== undefined && this.#find(requestState, caller) !== undefined;
  }

  endOf(principals: ReadonlySet<string>, reason: string): void {
    this.#suspended.endOf(principals, reason);
  }

  close(): void {
    this.#suspended.close('the hub is closing');
  }

  #find(requestState: unknown, { session }: Job['caller']): ParkedCall | undefined {
    const found = this.#suspended.find(requestState, session.principal);
    return found === 'over' ? undefined : found;
  }
}
