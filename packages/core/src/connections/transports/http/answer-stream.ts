/**
 * The event stream that answers one POST. A server may end it before the answer came, on purpose or because the connection
 * broke: where it has numbered its events, the rest is fetched where it left off.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { monotonicMs } from '../../../base/time/monotonic.ts';
import type { ChannelListener } from '../../rpc/channel.ts';
import { EventStreamReader } from './event-stream.ts';
import { type HttpTarget, letGo } from './http-target.ts';

export interface AnswerStreamOptions {
  readonly target: HttpTarget;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly listener: ChannelListener;
  readonly maxBytes: number;
  /** The request that waits for the answer. */
  readonly id: number;
  /** The stream is over, with or without the answer. */
  readonly onOver: () => void;
}

const RETRY_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** So often in a row the rest may fail to come before its request is given up: a network that is away for half a minute is borne. */
const MAX_FAILURES = 5;
/** A server that works may end the stream again and again without a word, but then it lasts this long: nothing has failed. */
const LASTING_MS = 1000;
/** A server ends the stream with its answer. One that does not is given this long: each call would keep a connection. */
const AFTER_ANSWER_MS = 1000;

export class AnswerStream {
  readonly #options: AnswerStreamOptions;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastEventId: string | undefined;
  #retryMs = RETRY_MS;
  #failures = 0;
  #over = false;

  constructor(options: AnswerStreamOptions) {
    this.#options = options;
  }

  read(response: IncomingMessage): void {
    const { listener, maxBytes, id } = this.#options;
    this.#response = response;
    const since = monotonicMs();
    const awaited = listener.awaits(id);
    const reader = new EventStreamReader(
      {
        onFrame: frame => {
          this.#failures = 0;
          listener.onFrame(frame, id);
          if (awaited && !listener.awaits(id)) this.#letGoSoon();
        },
        onOversized: (ends, bytes) => listener.onOversized(ends, bytes),
        onId: last => {
          if (last !== this.#lastEventId) this.#failures = 0;
          this.#lastEventId = last;
        },
        onRetry: ms => {
          this.#retryMs = ms;
        },
      },
      maxBytes,
    );
    response.on('data', (chunk: Buffer) => reader.push(chunk));
    response.on('end', () => reader.end());
    response.on('error', () => {});
    response.on('close', () => {
      if (monotonicMs() - since >= LASTING_MS) this.#failures = 0;
      this.#ended(this.#retryMs);
    });
  }

  /** Nobody waits for the answer any more. */
  close(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#request?.destroy();
    this.#response?.destroy();
  }

  #letGoSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.close();
      this.#options.onOver();
    }, AFTER_ANSWER_MS).unref();
  }

  /** A server in trouble is asked less and less often. */
  #failed(): void {
    this.#ended(Math.min(this.#retryMs * 2 ** this.#failures, LONGEST_WAIT_MS));
  }

  #ended(waitMs: number): void {
    if (this.#over) return;
    clearTimeout(this.#timer);
    const { listener, id, onOver } = this.#options;
    if (listener.awaits(id) && this.#lastEventId !== undefined && this.#failures < MAX_FAILURES) {
      this.#failures++;
      this.#timer = setTimeout(() => void this.#resume(), waitMs);
      return;
    }
    this.#over = true;
    onOver();
  }

  async #resume(): Promise<void> {
    try {
      const headers = await this.#options.headers();
      if (!this.#over) this.#open(headers);
    } catch {
      this.#failed();
    }
  }

  #open(headers: Readonly<Record<string, string>>): void {
    const resumed = { ...headers, accept: 'text/event-stream', 'last-event-id': this.#lastEventId as string };
    const request = this.#options.target.open('GET', resumed);
    this.#request = request;
    let answered = false;
    request.on('error', () => {
      // Once there is a response its own end is told as well, and one of them has to do.
      if (!answered) this.#failed();
    });
    request.on('response', response => {
      answered = true;
      const { statusCode = 0 } = response;
      if (statusCode === 200) return this.read(response);
      // A refusal will not change by asking again; a server in trouble may be back soon.
      if (statusCode < 500) this.#failures = MAX_FAILURES;
      letGo(response, () => this.#failed());
    });
    request.end();
  }
}
