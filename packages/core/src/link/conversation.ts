/**
 * Pairs requests with their answers on one channel. It owns ids, timeouts, cancellation and progress, and knows neither the
 * transport below nor the meaning of a method above. Everything a call costs on the way happens here: keep it short.
 */
import { type JunctorError, sentenceOf } from '../base/error.ts';
import { findAnswerId } from './answer-id.ts';
import type { Channel, ChannelListener } from './channel.ts';
import type { Speech } from './era/speech.ts';
import { closedMeanwhile, excerpt, malformed, neverSent, oversized, timedOut } from './failures.ts';
import { type Frame, parsedFrame } from './frame.ts';
import type { Onlooker } from './onlooker.ts';
import { Serving } from './serving.ts';
import { type AnswerMessage, type Patience, type ProgressParams, type Waiter, type Waiting, Waits } from './waits.ts';

export type { AnswerMessage, Patience, ProgressParams, Waiter } from './waits.ts';

/** What the server asks or tells of its own accord. */
export interface Inbound {
  /** Answers a request of the server; a throw becomes a JSON-RPC error. The signal says that the answer is not wanted any more. */
  onRequest(method: string, params: unknown, signal: AbortSignal, during?: number): Promise<unknown>;
  /** `during`: the request of ours on whose stream it came, where that is known. */
  onNotification(method: string, params: unknown, during?: number): void;
  /** A frame that is no JSON-RPC message at all, as when a server prints its log to stdout. */
  onNoise(text: string): void;
  /** No new request can be sent; the last answers are still awaited. */
  onRetired(): void;
  onClosed(error: JunctorError): void;
}

export class Conversation implements ChannelListener {
  readonly server: string;
  readonly #channel: Channel;
  readonly #inbound: Inbound;
  readonly #waits: Waits;
  readonly #serving: Serving;
  #speech: Speech | undefined;
  #onlooker: Onlooker | undefined;
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
    this.#serving = new Serving({
      answer: (method, params, signal, during) => inbound.onRequest(method, params, signal, during),
      say: text => {
        if (!this.#closed) this.#say(text);
      },
      onAllAnswered: waitedMs => this.#waits.prolong(waitedMs),
    });
    this.#waits = new Waits({
      isPaused: () => this.#serving.busy,
      onOverdue: (id, method, waitedMs) => this.cancel(id, timedOut(server, method, waitedMs)),
    });
    channel.listen(this);
  }

  /** Why it is over; undefined while it lives. */
  get ended(): JunctorError | undefined {
    return this.#closed;
  }

  get inFlight(): number {
    return this.#waits.size;
  }

  /** What the server last said outside the protocol, on stderr say. */
  lastWords(): string | undefined {
    return this.#channel.lastWords?.();
  }

  /** The program behind it, where we started one. */
  get program(): Pick<Channel, 'pid' | 'output'> {
    return this.#channel;
  }

  /** Lets somebody look on; undefined: nobody any more. */
  watch(onlooker: Onlooker | undefined): void {
    this.#onlooker = onlooker;
    this.#channel.output?.follow(onlooker && (text => onlooker.onPrinted(text)));
  }

  /** From now on requests are written like this. */
  speak(speech: Speech | undefined): void {
    this.#speech = speech;
  }

  /** Sends a request and returns its id. Params are a value, or a function of the id where they name it, as a token does. */
  ask(method: string, params: unknown | ((id: number) => unknown), patience: Patience, waiter: Waiter): number {
    const id = this.#nextId++;
    if (this.#closed) {
      waiter.onFailure(neverSent(this.#closed));
      return id;
    }
    if (waiter.onBytes) this.#relays = true;
    const given = (typeof params === 'function' ? params(id) : params) ?? {};
    const value = this.#speech ? this.#speech.dress(given) : given;
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params: value });
    // Only now: params that cannot be written must not leave anybody waiting.
    this.#waits.add(id, method, patience, waiter);
    this.#say(text, id, this.#speech?.headersFor?.(method, given));
    return id;
  }

  notify(method: string, params?: unknown): void {
    if (this.#closed) return;
    const tail = params === undefined ? '' : `,"params":${JSON.stringify(params)}`;
    this.#say(`{"jsonrpc":"2.0","method":${JSON.stringify(method)}${tail}}`);
  }

  /** Stops waiting and tells the server so. A late answer is ignored. */
  cancel(id: number, error: JunctorError): void {
    const waiting = this.#take(id);
    if (!waiting) return;
    // A greeting is given up, never cancelled: the protocol forbids it.
    if (!this.#speech?.cancelsByHangingUp && waiting.method !== 'initialize')
      this.notify('notifications/cancelled', { requestId: id, reason: error.message });
    this.#channel.abandon?.(id);
    waiting.waiter.onFailure(error);
  }

  onFrame(frame: Frame, during?: number): void {
    this.#onlooker?.onReceived(frame);
    if (this.#relays && this.#handOver(frame)) return;
    const message = parsedFrame(frame);
    if (message === undefined) {
      // An answer of ours that cannot be read must not leave its caller waiting.
      const at = findAnswerId(frame);
      if (at && this.#waits.has(at.id)) this.onRefused(at.id, malformed(this.server, frame));
      else this.#inbound.onNoise(excerpt(frame));
      return;
    }
    if (Array.isArray(message)) for (const one of message) this.#receive(one, frame, during);
    else this.#receive(message, frame, during);
  }

  awaits(id: number): boolean {
    return this.#waits.has(id);
  }

  onHeld(id: number): void {
    this.#waits.hold(id);
  }

  onSent(id: number): void {
    this.#waits.sent(id);
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
    if (this.#waits.size === 0) this.onClosed(error);
  }

  onClosed(error: JunctorError): void {
    if (this.#over) return;
    this.#over = true;
    this.#closed ??= error;
    this.#waits.clear();
    for (const id of this.#waits.ids) this.onRefused(id, error);
    this.#serving.end(error);
    this.#inbound.onClosed(error);
  }

  #say(text: string, id?: number, headers?: Readonly<Record<string, string>>): void {
    this.#onlooker?.onSent(text);
    this.#channel.send(text, id, headers);
  }

  /** Gives an answer to a waiter that takes bytes. False where it has to be parsed after all. */
  #handOver(frame: Frame): boolean {
    const at = findAnswerId(frame);
    const waiter = at && this.#waits.get(at.id)?.waiter;
    if (!at || !waiter?.onBytes) return false;
    this.#take(at.id);
    waiter.onBytes(frame, at);
    return true;
  }

  #receive(message: unknown, frame: Frame, during: number | undefined): void {
    if (typeof message !== 'object' || message === null) {
      this.#inbound.onNoise(excerpt(frame));
      return;
    }
    const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
    if (typeof method !== 'string') {
      const waiting = this.#take(id as number);
      if (!waiting) return; // late, cancelled, or never asked
      if ('result' in message || (message as AnswerMessage).error) waiting.waiter.onMessage(message as AnswerMessage);
      else waiting.waiter.onFailure(malformed(this.server, frame));
    } else if (id === undefined) {
      this.#hear(method, params, during);
    } else if (typeof id === 'string' || typeof id === 'number') {
      void this.#serving.answer(id, method, params, during);
    } else {
      this.#inbound.onNoise(excerpt(frame));
    }
  }

  /** What a server tells unasked may be anything: who stumbles over it, here or further on, takes nobody along. */
  #hear(method: string, params: unknown, during: number | undefined): void {
    try {
      if (method === 'notifications/progress') {
        this.#progress(params as ProgressParams & { progressToken?: unknown });
      } else if (method === 'notifications/cancelled') {
        const { requestId } = (params ?? {}) as { requestId?: unknown };
        this.#serving.withdraw(requestId, closedMeanwhile(this.server));
      } else {
        this.#inbound.onNotification(method, params, during);
      }
    } catch (error) {
      this.#inbound.onNoise(`${method} could not be taken in: ${sentenceOf(error)}`);
    }
  }

  #progress(params: ProgressParams & { progressToken?: unknown }): void {
    const waiting = this.#waits.get(params?.progressToken as number);
    if (!waiting) return;
    this.#waits.renew(waiting);
    waiting.waiter.onProgress?.(params);
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waits.take(id);
    if (waiting && this.#closed && !this.#over && this.#waits.size === 0) this.onClosed(this.#closed);
    return waiting;
  }
}
