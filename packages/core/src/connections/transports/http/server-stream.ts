/**
 * The stream on which a Streamable HTTP server speaks of its own accord. A server need not offer it; one that breaks is
 * opened again where it left off.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { FrameListener } from '../../rpc/frame.ts';
import { isOfType } from './content-type.ts';
import { EventStreamReader } from './event-stream.ts';
import { type HttpTarget, letGo } from './http-target.ts';

export interface ServerStreamOptions {
  readonly target: HttpTarget;
  /** The headers of the channel as they are now: the session may have been named since, and the token renewed. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly listener: FrameListener;
  readonly maxBytes: number;
}

const FIRST_RETRY_MS = 1000;
/** However often it fails it is tried again: a server that was away for a while has news like any other. */
const LONGEST_RETRY_MS = 30_000;

export class ServerStream {
  readonly #options: ServerStreamOptions;
  #request: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastEventId: string | undefined;
  #retryMs = FIRST_RETRY_MS;
  #failures = 0;
  #closed = false;

  constructor(options: ServerStreamOptions) {
    this.#options = options;
  }

  open(): void {
    // Without credentials, or with some that cannot be sent, there is no stream; whoever sends a request next is told.
    void this.#options
      .headers()
      .then(headers => this.#open(headers))
      .catch(() => {});
  }

  #open(headers: Readonly<Record<string, string>>): void {
    if (this.#closed) return;
    const resume = this.#lastEventId === undefined ? {} : { 'last-event-id': this.#lastEventId };
    const request = this.#options.target.open('GET', { ...headers, accept: 'text/event-stream', ...resume });
    this.#request = request;
    request.on('response', response => this.#read(response));
    request.on('error', () => this.#failed());
    request.end();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#request?.destroy();
  }

  #read(response: IncomingMessage): void {
    const { statusCode = 0 } = response;
    if (statusCode !== 200 || !isOfType(response, 'text/event-stream')) {
      letGo(response);
      // 405 is how a server says that it has no such stream; only one that is in trouble may have it later. Of a token that is
      // over it says 401: a request that somebody waits for has it renewed, and the next look takes the new one.
      if (statusCode >= 500 || statusCode === 429 || statusCode === 401) this.#failed();
      return;
    }
    this.#failures = 0;
    // Waiting for news must not keep a program from ending.
    response.socket.unref();
    const reader = new EventStreamReader(
      {
        onFrame: frame => this.#options.listener.onFrame(frame),
        onOversized: (ends, bytes) => this.#options.listener.onOversized(ends, bytes),
        onId: id => {
          this.#lastEventId = id;
        },
        onRetry: ms => {
          this.#retryMs = ms;
        },
      },
      this.#options.maxBytes,
    );
    response.on('data', (chunk: Buffer) => reader.push(chunk));
    response.on('error', () => {});
    response.on('close', () => this.#again());
  }

  #failed(): void {
    this.#failures++;
    this.#again();
  }

  #again(): void {
    if (this.#closed) return;
    const waitMs = Math.min(this.#retryMs * 2 ** this.#failures, LONGEST_RETRY_MS);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), waitMs).unref();
  }
}
