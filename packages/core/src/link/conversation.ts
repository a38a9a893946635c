/**
 * Pairs requests with their answers on one channel. It owns ids, timeouts, cancellation and progress, and knows neither the
 * transport below nor the meaning of a method above. Everything a call costs on the way happens here: keep it short.
 */
import { type JunctorError, sentenceOf } from '../base/error.ts';
import { type AnswerId, findAnswerId } from './answer-id.ts';
import type { Channel, ChannelListener } from './channel.ts';
import { cancelled, excerpt, malformed, oversized, serverError, timedOut } from './failures.ts';
import { type Frame, frameText } from './frame.ts';

/** What the server asks or tells of its own accord. */
export interface Inbound {
  /** Answers a request of the server; a throw becomes a JSON-RPC error. */
  onRequest(method: string, params: unknown): unknown | Promise<unknown>;
  onNotification(method: string, params: unknown): void;
  /** A frame that is no JSON-RPC message at all, as when a server prints its log to stdout. */
  onNoise(text: string): void;
  onClosed(error: JunctorError): void;
}

/** Whoever waits for one answer. A relay takes it as bytes, everybody else as a value. */
export interface Waiter {
  /** When present, an answer whose id is found at one of its ends is handed over unparsed. */
  onBytes?(frame: Frame, at: AnswerId): void;
  onMessage(message: AnswerMessage): void;
  onProgress?(params: ProgressParams): void;
  onFailure(error: JunctorError): void;
}

export interface AnswerMessage {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface ProgressParams {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface Patience {
  /** Silence that is borne; progress starts it anew. */
  readonly idleMs: number;
  readonly totalMs: number;
}

interface Waiting {
  readonly waiter: Waiter;
  readonly method: string;
  readonly patience: Patience;
  readonly since: number;
  timer: NodeJS.Timeout;
}

export class Conversation implements ChannelListener {
  readonly #server: string;
  readonly #channel: Channel;
  readonly #inbound: Inbound;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #closed: JunctorError | undefined;

  constructor(server: string, channel: Channel, inbound: Inbound) {
    this.#server = server;
    this.#channel = channel;
    this.#inbound = inbound;
    channel.listen(this);
  }

  /** How many requests wait for an answer. */
  get inFlight(): number {
    return this.#waiting.size;
  }

  /**
   * Sends a request. `paramsJson` is the text of its params; a waiter with `onProgress` must have put
   * `"progressToken":<id>` into it, which is why the id is offered first.
   */
  ask(method: string, paramsJson: (id: number) => string, patience: Patience, waiter: Waiter): number {
    const id = this.#nextId++;
    if (this.#closed) {
      waiter.onFailure(this.#closed);
      return id;
    }
    const firstWaitMs = Math.min(patience.idleMs, patience.totalMs);
    const timer = setTimeout(this.#expire, firstWaitMs, this, id);
    this.#waiting.set(id, { waiter, method, patience, since: performance.now(), timer });
    this.#channel.send(
      `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${paramsJson(id)}}`,
      id,
    );
    return id;
  }

  /** A request whose answer is wanted as a value. */
  request(method: string, params: unknown, patience: Patience, options: RequestOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal, onProgress } = options;
      if (signal?.aborted) {
        reject(cancelled(this.#server, method, signal.reason));
        return;
      }
      const onAbort = (): void => {
        this.cancel(id, cancelled(this.#server, method, signal?.reason));
      };
      const settled = (): void => signal?.removeEventListener('abort', onAbort);
      const waiter: Waiter = {
        onMessage: message => {
          settled();
          if (message.error) reject(serverError(this.#server, method, message.error));
          else resolve(message.result);
        },
        onFailure: error => {
          settled();
          reject(error);
        },
        ...(onProgress ? { onProgress } : {}),
      };
      const text = onProgress
        ? (id: number) => JSON.stringify(withProgressToken(params, id))
        : () => JSON.stringify(params ?? {});
      const id = this.ask(method, text, patience, waiter);
      signal?.addEventListener('abort', onAbort);
    });
  }

  notify(method: string, params?: unknown): void {
    if (this.#closed) return;
    const tail = params === undefined ? '' : `,"params":${JSON.stringify(params)}`;
    this.#channel.send(`{"jsonrpc":"2.0","method":${JSON.stringify(method)}${tail}}`);
  }

  /** Stops waiting and tells the server so. A late answer is ignored. */
  cancel(id: number, error: JunctorError): void {
    const waiting = this.#take(id);
    if (!waiting) return;
    this.notify('notifications/cancelled', { requestId: id, reason: error.message });
    waiting.waiter.onFailure(error);
  }

  onFrame(frame: Frame): void {
    const at = findAnswerId(frame);
    const bytesFor = at && this.#waiting.get(at.id)?.waiter;
    if (at && bytesFor?.onBytes) {
      this.#take(at.id);
      bytesFor.onBytes(frame, at);
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(frameText(frame));
    } catch {
      // An answer of ours that cannot be read must not leave its caller waiting.
      if (at && this.#waiting.has(at.id)) this.onRefused(at.id, malformed(this.#server, frame));
      else this.#inbound.onNoise(excerpt(frame));
      return;
    }
    if (Array.isArray(message)) for (const one of message) this.#receive(one, frame);
    else this.#receive(message, frame);
  }

  onOversized(ends: Frame, bytes: number): void {
    const at = findAnswerId(ends);
    const error = oversized(this.#server, bytes);
    if (at) this.onRefused(at.id, error);
    else this.#inbound.onNoise(error.message);
  }

  onRefused(id: number, error: JunctorError): void {
    this.#take(id)?.waiter.onFailure(error);
  }

  onClosed(error: JunctorError): void {
    if (this.#closed) return;
    this.#closed = error;
    const waiting = [...this.#waiting.keys()];
    for (const id of waiting) this.onRefused(id, error);
    this.#inbound.onClosed(error);
  }

  #receive(message: unknown, frame: Frame): void {
    if (typeof message !== 'object' || message === null) {
      this.#inbound.onNoise(excerpt(frame));
      return;
    }
    const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
    if (typeof method !== 'string') {
      const waiting = this.#take(id as number);
      if (!waiting) return; // late, cancelled, or never asked
      if ('result' in message || 'error' in message) waiting.waiter.onMessage(message as AnswerMessage);
      else waiting.waiter.onFailure(malformed(this.#server, frame));
    } else if (id !== undefined) {
      void this.#answer(id, method, params);
    } else if (method === 'notifications/progress') {
      this.#progress(params as ProgressParams & { progressToken?: unknown });
    } else {
      this.#inbound.onNotification(method, params);
    }
  }

  async #answer(id: unknown, method: string, params: unknown): Promise<void> {
    let tail: string;
    try {
      tail = `"result":${JSON.stringify((await this.#inbound.onRequest(method, params)) ?? {})}`;
    } catch (error) {
      const code = error instanceof MethodNotFound ? -32601 : -32603;
      tail = `"error":${JSON.stringify({ code, message: sentenceOf(error) })}`;
    }
    if (!this.#closed) this.#channel.send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${tail}}`);
  }

  #progress(params: ProgressParams & { progressToken?: unknown }): void {
    const waiting = this.#waiting.get(params?.progressToken as number);
    if (!waiting) return;
    const leftMs = waiting.patience.totalMs - (performance.now() - waiting.since);
    if (leftMs >= waiting.patience.idleMs) {
      waiting.timer.refresh();
    } else {
      clearTimeout(waiting.timer);
      waiting.timer = setTimeout(this.#expire, Math.max(leftMs, 0), this, params.progressToken as number);
    }
    waiting.waiter.onProgress?.(params);
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    return waiting;
  }

  #expire(self: Conversation, id: number): void {
    const waiting = self.#waiting.get(id);
    if (!waiting) return;
    const waitedMs = Math.round(performance.now() - waiting.since);
    self.cancel(id, timedOut(self.#server, waiting.method, waitedMs));
  }
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((params: ProgressParams) => void) | undefined;
}

/** Thrown by an inbound handler for a method nobody here serves. */
export class MethodNotFound extends Error {}

function withProgressToken(params: unknown, id: number): unknown {
  const given = (params ?? {}) as { _meta?: object };
  return { ...given, _meta: { ...given._meta, progressToken: id } };
}
