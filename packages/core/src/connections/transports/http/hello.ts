/**
 * Our hello, `notifications/initialized`, comes before all that follows it. Over HTTP each message may take a connection of its
 * own and overtake the one before it, and a server that was not greeted yet may refuse it: so what follows waits until the
 * server has taken the hello.
 */
import type { ChannelListener } from '../../rpc/channel.ts';

/** A server that never says that it has taken it is spoken to all the same. */
const TAKEN_AT_LATEST_MS = 3000;

export class Hello {
  readonly #listener: () => ChannelListener | undefined;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** True while it is on its way. */
  pending = false;

  constructor(listener: () => ChannelListener | undefined) {
    this.#listener = listener;
  }

  /** A notification leaves: it may be the hello. */
  leaves(text: string): void {
    if (!isHello(text)) return;
    this.pending = true;
    this.#timer = setTimeout(() => this.#goOn(), TAKEN_AT_LATEST_MS).unref();
  }

  /** A notification was answered, or was lost. After a 401 it is sent again, once somebody has signed in. */
  arrived(text: string, status?: number): void {
    if (this.pending && status !== 401 && isHello(text)) this.#goOn();
  }

  /** Lets something go once the hello was taken, if it is still wanted then. */
  hold(id: number | undefined, go: () => void): void {
    if (id !== undefined) this.#listener()?.onHeld(id);
    this.#waiting.push(() => {
      const listener = this.#listener();
      if (id !== undefined && !listener?.awaits(id)) return;
      if (id !== undefined) listener?.onSent(id);
      go();
    });
  }

  /** What still waits is not sent any more. */
  close(): void {
    this.#waiting = [];
    clearTimeout(this.#timer);
  }

  #goOn(): void {
    this.pending = false;
    clearTimeout(this.#timer);
    for (const go of this.#waiting.splice(0)) go();
  }
}

/** What the server asked while it was greeted is answered at once: it may wait for that before it takes the hello. */
export function isAnswer(text: string, id: number | undefined): boolean {
  return id === undefined && text.startsWith('{"jsonrpc":"2.0","id":');
}

function isHello(text: string): boolean {
  return text.includes('"method":"notifications/initialized"');
}
