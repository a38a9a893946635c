/**
 * The one response to one POST. It is a JSON document when the answer is all there is to say; whatever is said before the
 * answer turns it into an event stream.
 */
import type { ServerResponse } from 'node:http';
import { RPC_CODE, shortFrame } from '@junctor/core/inside';
import { Reply } from '../visit/reply.ts';
import { EventLog } from './event-log.ts';
import type { KeepAlive } from './keep-alive.ts';
import type { SessionStreams } from './session-streams.ts';
import { EVENT_STREAM } from './stream-headers.ts';

/** Above this, joining the pieces into one buffer costs more than writing them one by one. */
const JOIN_BELOW_BYTES = 64 * 1024;

export interface HttpReplyOptions {
  readonly response: ServerResponse;
  readonly id: string;
  /** Where a stream can be taken up again; in the newer era none can. */
  readonly streams?: SessionStreams | undefined;
  readonly onOver?: (() => void) | undefined;
  /** A person may be asked before the answer comes: until then the stream is kept open. */
  readonly keepAlive: KeepAlive;
}

export class HttpReply extends Reply {
  readonly #response: ServerResponse;
  readonly #streams: SessionStreams | undefined;
  readonly #keepAlive: KeepAlive;
  #log: EventLog | undefined;

  constructor({ response, id, streams, onOver, keepAlive }: HttpReplyOptions) {
    super(id, onOver);
    this.#response = response;
    this.#streams = streams;
    this.#keepAlive = keepAlive;
  }

  say(message: object): void {
    if (!this.done) this.#stream().say(message);
  }

  notify(method: string, params: object): void {
    if (this.done) return;
    const stream = this.#stream();
    if (!stream.congested) stream.say({ jsonrpc: '2.0', method, params });
  }

  override keepOpen(onLeft: () => void): void {
    if (!this.done) this.#stream().onLeft = onLeft;
  }

  override get attended(): boolean {
    return this.#log?.open ?? !this.#response.destroyed;
  }

  get unread(): number {
    return this.#log?.unread ?? 0;
  }

  protected override readsErrors(): boolean {
    return this.#streams === undefined;
  }

  protected abandoned(): void {
    if (this.#log) this.#log.end();
    else this.#response.writeHead(200, EVENT_STREAM).end();
  }

  protected write(pieces: readonly Buffer[], bytes: number, code: number | undefined): void {
    if (this.#log) {
      this.#log.push(pieces);
      this.#log.end();
      return;
    }
    const response = this.#response;
    const status = this.#streams || code === undefined ? 200 : (STATUS[code] ?? 200);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes });
    const short = shortFrame(pieces, bytes);
    // With its head before it, it leaves as one string.
    if (short !== undefined) response.end(short, 'latin1');
    else if (bytes < JOIN_BELOW_BYTES) response.end(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, bytes));
    else {
      for (const piece of pieces) response.write(piece);
      response.end();
    }
  }

  #stream(): EventLog {
    if (this.#log) return this.#log;
    this.#keepAlive.add(this.#response);
    if (this.#streams) this.#log = this.#streams.forAnswer(this.#response);
    else {
      this.#log = new EventLog();
      this.#log.attach(this.#response);
    }
    return this.#log;
  }
}

/** In the 2026-07-28 era some errors are told by the status too. */
const STATUS: Readonly<Record<number, number>> = {
  [RPC_CODE.invalidRequest]: 400,
  [RPC_CODE.methodNotFound]: 404,
  [RPC_CODE.headerMismatch]: 400,
  [RPC_CODE.missingCapability]: 400,
  [RPC_CODE.unsupportedVersion]: 400,
};
