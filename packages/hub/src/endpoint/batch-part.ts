import { Reply } from '../visit/reply.ts';
import type { Collect } from './batch.ts';
import type { HttpReply } from './http-reply.ts';

/** What the requests of one batch over HTTP have in common. */
export interface SharedResponse {
  readonly reply: HttpReply;
  /** Those that wait for the client to come back where it lost the stream. */
  readonly onLeft: Set<() => void>;
}

/** The answer to one request of a batch over HTTP: what is said before it goes the way of all. */
export class BatchPart extends Reply {
  readonly #shared: SharedResponse;
  readonly #collect: Collect;

  constructor(id: string, onOver: () => void, shared: SharedResponse, collect: Collect) {
    super(id, onOver);
    this.#shared = shared;
    this.#collect = collect;
  }

  say(message: object): void {
    if (!this.done) this.#shared.reply.say(message);
  }

  notify(method: string, params: object): void {
    if (!this.done) this.#shared.reply.notify(method, params);
  }

  override keepOpen(onLeft: () => void): void {
    const { reply, onLeft: all } = this.#shared;
    all.add(onLeft);
    reply.keepOpen(() => {
      for (const left of all) left();
    });
  }

  override get attended(): boolean {
    return this.#shared.reply.attended;
  }

  get unread(): number {
    return this.#shared.reply.unread;
  }

  protected abandoned(): void {
    this.#collect(undefined);
  }

  protected write(pieces: readonly Buffer[]): void {
    this.#collect(pieces);
  }
}
