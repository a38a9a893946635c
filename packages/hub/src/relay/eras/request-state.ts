/** The token under which a client of the 2026-07-28 era comes back to its call. It is signed, and good for its owner only. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export class RequestStates {
  /** A hub that starts anew knows no call of before, so nothing it signed then is good either. */
  readonly #secret = randomBytes(32);
  readonly #mark: string;

  /** `hub`: where its clients may come back to another hub, which finds by it where the call waits. */
  constructor(hub?: string) {
    this.#mark = hub === undefined ? '' : `${hub}~`;
  }

  seal(call: string, principal: string, expiresAt: number): string {
    const head = `${call}.${expiresAt}`;
    return `${this.#mark}${head}.${this.#sign(head, principal)}`;
  }

  /** The call it belongs to; undefined where it was altered, is another's, or too old. */
  open(state: unknown, principal: string, now: number): string | undefined {
    const [, head, call, expiresAt, signature] =
      (typeof state === 'string' && /^(?:[\da-f]{12}~)?(([\w-]{1,64})\.(\d{1,16}))\.([\w-]{43})$/.exec(state)) || [];
    if (head === undefined || call === undefined || signature === undefined || Number(expiresAt) < now)
      return undefined;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(head, principal))) ? call : undefined;
  }

  #sign(head: string, principal: string): string {
    return createHmac('sha256', this.#secret).update(`${head}\0${principal}`).digest('base64url');
  }
}

/** The hub where the call waits that a client comes back to; undefined where none is named. */
export function hubOfState(state: unknown): string | undefined {
  return (typeof state === 'string' && /^([\da-f]{12})~/.exec(state)?.[1]) || undefined;
}
