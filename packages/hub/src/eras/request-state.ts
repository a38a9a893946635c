/** The token under which a client of the 2026-07-28 era comes back to its call. It is signed, and good for its owner only. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export class RequestStates {
  /** A hub that starts anew knows no call of before, so nothing it signed then is good either. */
  readonly #secret = randomBytes(32);

  seal(call: string, principal: string, expiresAt: number): string {
    const head = `${call}.${expiresAt}`;
    return `${head}.${this.#sign(head, principal)}`;
  }

  /** The call it belongs to; undefined where it was altered, is another's, or too old. */
  open(state: unknown, principal: string, now: number): string | undefined {
    const [, head, call, expiresAt, signature] =
      (typeof state === 'string' && /^(([\w-]{1,64})\.(\d{1,16}))\.([\w-]{43})$/.exec(state)) || [];
    if (head === undefined || call === undefined || signature === undefined || Number(expiresAt) < now)
      return undefined;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(head, principal))) ? call : undefined;
  }

  #sign(head: string, principal: string): string {
    return createHmac('sha256', this.#secret).update(`${head}\0${principal}`).digest('base64url');
  }
}
