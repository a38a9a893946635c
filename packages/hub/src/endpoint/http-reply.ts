/**
 * The one response to one POST. It is a JSON document when the answer is all there is to say; whatever is said before the
 * answer turns it into an event stream, where the client reads those.
 */
import type { ServerResponse } from 'node:http';
import { frameBytes, RPC_CODE, shortFrame } from '@junctor/core/internal';
import { Reply } from '../visit/reply.ts';
import { asArray, type BatchAnswer } from './batch.ts';
import { EventLog, MAX_KEPT_BYTES } from './event-log.ts';
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
  /** What the request says its client can read. */
  readonly accept: string | undefined;
}

/** Whether a client with this `Accept` reads event streams. One that says nothing reads all. */
export function readsStreams(accept: string | undefined): boolean {
  return accept === undefined || /text\/event-stream|(text|\*)\/\*/i.test(accept);
}

export class HttpReply extends Reply {
  readonly #response: ServerResponse;
  readonly #streams: SessionStreams | undefined;
  readonly #keepAlive: KeepAlive;
  readonly #accept: string | undefined;
  #log: EventLog | undefined;

  constructor({ response, id, streams, onOver, keepAlive, accept }: HttpReplyOptions) {
    super(id, onOver);
    this.#response = response;
    this.#streams = streams;
    this.#keepAlive = keepAlive;
    this.#accept = accept;
  }

  say(message: object): void {
    if (this.done) return;
    if (this.#canStream) this.#stream().say(message);
    // Questions need an answer: a client that reads no stream here may read the one of its session.
    else this.#streams?.say(message);
  }

  notify(method: string, params: object): void {
    if (this.done || !this.#canStream) return;
    const stream = this.#stream();
    if (!stream.congested) stream.say({ jsonrpc: '2.0', method, params });
  }

  override keepOpen(onLeft: () => void): void {
    if (this.done) return;
    if (this.#canStream) this.#stream().onLeft = onLeft;
    else this.#response.once('close', () => this.done || onLeft());
  }

  override get attended(): boolean {
    return this.#log?.open ?? !this.#response.destroyed;
  }

  get unread(): number {
    return this.#log?.unread ?? (this.#canStream ? 0 : (this.#streams?.unread ?? 0));
  }

  /** Asked only where there is more to say than the answer: most requests never need to know. */
  get #canStream(): boolean {
    return this.#log !== undefined || readsStreams(this.#accept);
  }

  protected abandoned(): void {
    if (this.#log) this.#log.end();
    else if (this.#canStream) this.#response.writeHead(200, EVENT_STREAM).end();
    else this.#response.writeHead(202).end();
  }

  protected write(pieces: readonly Buffer[], bytes: number, code: number | undefined): void {
    if (this.#log) {
      this.#log.push(pieces, size => notKept(this.id, size));
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

  /**
   * Answers a batch: with one array as a document, and with one event for each answer on a stream, where clients read no
   * arrays.
   */
  answerAll(answers: readonly BatchAnswer[]): void {
    const log = this.#log;
    if (!log) {
      const pieces = asArray(answers);
      return this.write(pieces, frameBytes(pieces), undefined);
    }
    for (const { id, pieces } of answers) log.push(pieces, size => notKept(id, size));
    log.end();
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

/** What a client that resumes gets in the place of an answer that was too large to be kept for it. */
function notKept(id: string, bytes: number): string {
  const message =
    `The request was answered, but the stream broke off, and the answer of ${bytes} bytes is too large to be kept for ` +
    `resuming (at most ${MAX_KEPT_BYTES} bytes). Send the request again where it is safe to repeat.`;
  const error = { code: RPC_CODE.serverFailed, message, data: { code: 'message_too_large', outcome: 'done' } };
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}

/** In the 2026-07-28 era some errors are told by the status too. */
const STATUS: Readonly<Record<number, number>> = {
  [RPC_CODE.invalidRequest]: 400,
  [RPC_CODE.methodNotFound]: 404,
  [RPC_CODE.headerMismatch]: 400,
  [RPC_CODE.missingCapability]: 400,
  [RPC_CODE.unsupportedVersion]: 400,
};
