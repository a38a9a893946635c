import type { Reply } from './reply.ts';

/** One request of a client on its way. It can be cancelled from the moment it arrived, also before it was sent on. */
export class Flight {
  readonly reply: Reply;
  /** The server it went to, once that is known. */
  server: string | undefined;
  #cancelled = false;
  #onCancel: ((reason: string) => void) | undefined;

  constructor(reply: Reply) {
    this.reply = reply;
  }

  get cancelled(): boolean {
    return this.#cancelled;
  }

  cancel(reason: string): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#onCancel?.(reason);
  }

  /** Says how to cancel it now that it is under way. */
  sent(onCancel: (reason: string) => void): void {
    this.#onCancel = onCancel;
  }
}
