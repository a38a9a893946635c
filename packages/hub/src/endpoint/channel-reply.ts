import { Reply } from '../visit/reply.ts';

/** A way back on which every message goes alike, as a WebSocket has it. */
export interface Wire {
  readonly congested: boolean;
  /** What the client has not taken yet, in bytes. */
  readonly unread: number;
  send(pieces: readonly Buffer[]): void;
  /** Lets the client go. */
  close(reason: string): void;
}

/** The answer to a request that came over a connection of its own. */
export class ChannelReply extends Reply {
  readonly #wire: Wire;

  constructor(wire: Wire, id: string, onOver?: () => void) {
    super(id, onOver);
    this.#wire = wire;
  }

  say(message: object): void {
    if (!this.done) this.#wire.send([Buffer.from(JSON.stringify(message))]);
  }

  notify(method: string, params: object): void {
    if (!this.#wire.congested) this.say({ jsonrpc: '2.0', method, params });
  }

  get unread(): number {
    return this.#wire.unread;
  }

  protected abandoned(): void {}

  protected write(pieces: readonly Buffer[]): void {
    this.#wire.send(pieces);
  }
}
