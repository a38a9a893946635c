/**
 * Calls that wait until their client comes back, which has a question as its answer meanwhile. Each is found by a signed
 * state that is good for its owner only, for some time; as many as may wait do. What a call does is its own business.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A call that can wait for its client. */
export interface Suspendable {
  readonly id: string;
  /** Who may come back to it. */
  readonly owner: string;
  /** Ends it: nobody comes back. */
  withdraw(reason: string): void;
}

export interface SuspendedOptions {
  /** The hub, where a client may come back to another one, which finds by it where the call waits. */
  readonly hub?: string | undefined;
  readonly max?: number;
  readonly ms?: number;
}

/** What a client reads that comes back to a call which is not there for it. */
export const NO_SUCH_CALL = 'The requestState is not yours, or the call it belongs to is over.';
/** How long a client may take to come back: a person answers in between. Shorter, and people lose calls they answer. */
export const SUSPENDED_MS: number = 10 * 60_000;
/** So many calls may wait at once. Fewer, and a busy hub refuses questions; more, and clients that never return fill it. */
export const MAX_SUSPENDED = 1000;

export class SuspendedCalls<Call extends Suspendable> {
  readonly #calls = new Map<string, { readonly call: Call; timer: NodeJS.Timeout | undefined }>();
  readonly #max: number;
  readonly #ms: number;
  readonly #mark: string;
  /** A program that starts anew knows no call of before, so nothing it signed then is good either. */
  readonly #secret = randomBytes(32);

  constructor({ hub, max = MAX_SUSPENDED, ms = SUSPENDED_MS }: SuspendedOptions = {}) {
    this.#mark = hub === undefined ? '' : `${hub}~`;
    this.#max = max;
    this.#ms = ms;
  }

  /** The state by which its owner comes back, from now on within the time; undefined where as many wait as may. */
  suspend(call: Call): string | undefined {
    const known = this.#calls.get(call.id);
    if (!known && this.#isFullFor(call.owner)) return undefined;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => this.#expire(call), this.#ms).unref();
    this.#calls.set(call.id, { call, timer });
    const head = `${call.id}.${Date.now() + this.#ms}`;
    return `${this.#mark}${head}.${this.#sign(head, call.owner)}`;
  }

  /** The call that a state belongs to. `over`: the state is good, the call is not there. Undefined: no state of this owner. */
  find(state: unknown, owner: string): Call | 'over' | undefined {
    const [, head, id, expiresAt, signature] =
      (typeof state === 'string' && /^(?:[\da-f]{12}~)?(([\w-]{1,64})\.(\d{1,16}))\.([\w-]{43})$/.exec(state)) || [];
    if (head === undefined || id === undefined || signature === undefined) return undefined;
    if (Number(expiresAt) < Date.now()) return undefined;
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(head, owner)))) return undefined;
    return this.#calls.get(id)?.call ?? 'over';
  }

  /** Its client is here: its time does not run. It may be suspended again. */
  resumed(call: Call): void {
    const known = this.#calls.get(call.id);
    if (!known) return;
    clearTimeout(known.timer);
    known.timer = undefined;
  }

  /** Nobody finds it any more. */
  over(call: Call): void {
    clearTimeout(this.#calls.get(call.id)?.timer);
    this.#calls.delete(call.id);
  }

  /** Ends the calls of owners who may not come back. */
  endOf(owners: ReadonlySet<string>, reason: string): void {
    for (const { call } of [...this.#calls.values()]) if (owners.has(call.owner)) this.#end(call, reason);
  }

  close(reason: string): void {
    for (const { call } of [...this.#calls.values()]) this.#end(call, reason);
  }

  /** A quarter is left to others, whatever one owner does. */
  #isFullFor(owner: string): boolean {
    if (this.#calls.size >= this.#max) return true;
    const share = this.#max - Math.floor(this.#max / 4);
    if (this.#calls.size < share) return false;
    return [...this.#calls.values()].filter(({ call }) => call.owner === owner).length >= share;
  }

  #expire(call: Call): void {
    this.#end(call, 'the client did not come back');
  }

  #end(call: Call, reason: string): void {
    this.over(call);
    call.withdraw(reason);
  }

  #sign(head: string, owner: string): string {
    return createHmac('sha256', this.#secret).update(`${head}\0${owner}`).digest('base64url');
  }
}

/** The hub where the call waits that a client comes back to; undefined where none is named. */
export function hubOfState(state: unknown): string | undefined {
  return (typeof state === 'string' && /^([\da-f]{12})~/.exec(state)?.[1]) || undefined;
}
