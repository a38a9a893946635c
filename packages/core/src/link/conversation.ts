/**
 * Pairs requests with their answers on one channel. It owns ids, timeouts, cancellation and progress, and knows neither the
 * transport below nor the meaning of a method above. Everything a call costs on the way happens here: keep it short.
 */
import { type JunctorError, sentenceOf } from '../base/error.ts';
import { type AnswerId, findAnswerId } from './answer-id.ts';
import type { Channel, ChannelListener } from './channel.ts';
import { Deadlines } from './deadlines.ts';
import { excerpt, malformed, oversized, timedOut } from './failures.ts';
import { type Frame, frameText } from './frame.ts';

/** What the server asks or tells of its own accord. */
export interface Inbound {
  /** Answers a request of the server; a throw becomes a JSON-RPC error. */
  onRequest(method: string, params: unknown): unknown | Promise<unknown>;
  onNotification(method: string, params: unknown): void;
  /** A frame that is no JSON-RPC message at all, as when a server prints its log to stdout. */
  onNoise(text: string): void;
  /** No new request can be sent; the last answers are still awaited. */
  onRetired(): void;
  onClosed(error: JunctorError): void;
}

/** Whoever waits for one answer. A relay takes it as bytes, everybody else as a value. */
export interface Waiter {
  /** When present, an answer whose id is found at one of its ends is handed over unparsed. */
  readonly onBytes?: ((frame: Frame, at: AnswerId) => void) | undefined;
  onMessage(message: AnswerMessage): void;
  readonly onProgress?: ((params: ProgressParams) => void) | undefined;
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
  dueAt: number;
}

export class Conversation implements ChannelListener {
  readonly server: string;
  readonly #channel: Channel;
  readonly #inbound: Inbound;
  readonly #waiting = new Map<number, Waiting>();
  readonly #deadlines = new Deadlines(now => this.#expire(now));
  #nextId = 1;
  /** Whether anybody here ever took an answer as bytes: if not, none need be searched for its id. */
  #relays = false;
  /** Why nothing can be sent any more. */
  #closed: JunctorError | undefined;
  /** Nothing is waited for any more either. */
  #over = false;

  constructor(server: string, channel: Channel, inbound: Inbound) {
    this.server = server;
    this.#channel = channel;
    this.#inbound = inbound;
    channel.listen(this);
  }

  /** Why it is over; undefined while it lives. */
  get ended(): JunctorError | undefined {
    return this.#closed;
  }

  /** How many requests wait for an answer. */
  get inFlight(): number {
    return this.#waiting.size;
  }

  /**
   * Sends a request and returns its id. Params are a value, or a function of the id where they name it, as a progress
   * token does.
   */
  ask(method: string, params: unknown | ((id: number) => unknown), patience: Patience, waiter: Waiter): number {
    const id = this.#nextId++;
    if (this.#closed) {
      waiter.onFailure(this.#closed);
      return id;
    }
    const now = performance.now();
    const dueAt = now + Math.min(patience.idleMs, patience.totalMs);
    this.#waiting.set(id, { waiter, method, patience, since: now, dueAt });
    this.#deadlines.expect(dueAt, now);
    if (waiter.onBytes) this.#relays = true;
    const value = typeof params === 'function' ? params(id) : params;
    // The method of a relayed request is a stranger's word: it is quoted like any other.
    const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${JSON.stringify(value ?? {})}}`;
    this.#channel.send(text, id);
    return id;
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
    this.#channel.abandon?.(id);
    waiting.waiter.onFailure(error);
  }

  onFrame(frame: Frame): void {
    if (this.#relays && this.#handOver(frame)) return;
    let message: unknown;
    try {
      message = JSON.parse(frameText(frame));
    } catch {
      // An answer of ours that cannot be read must not leave its caller waiting.
      const at = findAnswerId(frame);
      if (at && this.#waiting.has(at.id)) this.onRefused(at.id, malformed(this.server, frame));
      else this.#inbound.onNoise(excerpt(frame));
      return;
    }
    if (Array.isArray(message)) for (const one of message) this.#receive(one, frame);
    else this.#receive(message, frame);
  }

  onOversized(ends: Frame, bytes: number): void {
    const at = findAnswerId(ends);
    const error = oversized(this.server, bytes);
    if (at) this.onRefused(at.id, error);
    else this.#inbound.onNoise(error.message);
  }

  onRefused(id: number, error: JunctorError): void {
    this.#take(id)?.waiter.onFailure(error);
  }

  onRetired(error: JunctorError): void {
    if (this.#closed) return;
    this.#closed = error;
    this.#inbound.onRetired();
    if (this.#waiting.size === 0) this.onClosed(error);
  }

  onClosed(error: JunctorError): void {
    if (this.#over) return;
    this.#over = true;
    this.#closed ??= error;
    this.#deadlines.clear();
    const waiting = [...this.#waiting.keys()];
    for (const id of waiting) this.onRefused(id, error);
    this.#inbound.onClosed(error);
  }

  /** Gives an answer to a waiter that takes bytes. False where it has to be parsed after all. */
  #handOver(frame: Frame): boolean {
    const at = findAnswerId(frame);
    const waiter = at && this.#waiting.get(at.id)?.waiter;
    if (!at || !waiter?.onBytes) return false;
    this.#take(at.id);
    waiter.onBytes(frame, at);
    return true;
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
      else waiting.waiter.onFailure(malformed(this.server, frame));
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
    const { idleMs, totalMs } = waiting.patience;
    waiting.dueAt = Math.min(performance.now() + idleMs, waiting.since + totalMs);
    waiting.waiter.onProgress?.(params);
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    this.#waiting.delete(id);
    if (this.#closed && !this.#over && this.#waiting.size === 0) this.onClosed(this.#closed);
    return waiting;
  }

  /** Ends what is overdue; returns when the next may be. */
  #expire(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { dueAt, method, since }] of this.#waiting) {
      if (dueAt > now) next = Math.min(next, dueAt);
      else this.cancel(id, timedOut(this.server, method, Math.round(now - since)));
    }
    return next;
  }
}

/** Thrown by an inbound handler for a method nobody here serves. */
export class MethodNotFound extends Error {}
