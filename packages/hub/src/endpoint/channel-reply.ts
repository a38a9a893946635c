import { Reply } from '../visit/reply.ts';
import type { Collect } from './batch.ts';

/** A way back on which every message goes alike, as a WebSocket has it. */
export interface Wire {
  readonly congested: boolean;
  /** What the client has not taken yet, in bytes. */
  readonly unread: number;
  send(pieces: readonly Buffer[]): void;
  /** Lets the client go. */
  close(reason: string): void;
  /** Says that a request waits for approval, and is not sent to a server before that. `id` is that of the request as JSON. */
  hold?(id: string): void;
  /** Says that it waits no more. Resolves once that cannot get lost, whatever becomes of this process. */
  release?(id: string): Promise<void>;
}

/** The answer to a request that came over a connection of its own. */
export class ChannelReply extends Reply {
  readonly #wire: Wire;
  readonly #collect: Collect | undefined;
  #held = false;

  /** `collect` takes the answer in place of the wire. */
  constructor(wire: Wire, id: string, onOver?: () => void, collect?: Collect) {
    super(id, onOver);
    this.#wire = wire;
    this.#collect = collect;
  }

  say(message: object): void {
    if (!this.done) this.#wire.send([Buffer.from(JSON.stringify(message))]);
  }

  notify(method: string, params: object): void {
    if (!this.#wire.congested) this.say({ jsonrpc: '2.0', method, params });
  }

  override keepOpen(): void {
    if (this.#held || this.done) return;
    this.#held = true;
    this.#wire.hold?.(this.id);
  }

  override released(): void | Promise<void> {
    if (!this.#held) return;
    this.#held = false;
    return this.#wire.release?.(this.id);
  }

  get unread(): number {
    return this.#wire.unread;
  }

  protected abandoned(): void {
    this.#collect?.(undefined);
  }

  protected write(pieces: readonly Buffer[]): void {
    if (this.#collect) this.#collect(pieces);
    else this.#wire.send(pieces);
  }
}
