/**
 * Pairs requests with their answers on one channel. It owns ids, timeouts, cancellation and progress, and knows neither the
 * transport below nor the meaning of a method above. Everything a call costs on the way happens here: keep it short.
 */
import { type JunctorError, sentenceOf } from '../../base/error.ts';
import { nestsTooDeeply } from '../../results/nesting.ts';
import { META } from '../protocol/envelope.ts';
import type { Speech } from '../protocol/speech.ts';
import { findAnswerId } from './answer-id.ts';
import type { Channel, ChannelListener } from './channel.ts';
import {
  closedMeanwhile,
  excerpt,
  malformed,
  neverSent,
  oversized,
  timedOut,
  tooLargeFor,
  unreadableAnswer,
  unreadableQuestion,
} from './failures.ts';
import { type Frame, frameBytes, parsedFrame } from './frame.ts';
import type { Onlooker } from './onlooker.ts';
import { outcomeIn, plainAnswer } from './plain-answer.ts';
import { Serving } from './serving.ts';
import { type AnswerMessage, type Patience, type ProgressParams, type Waiter, type Waiting, Waits } from './waits.ts';

export {
  type AnswerMessage,
  type ByteWaiter,
  type Patience,
  type ProgressParams,
  type ValueWaiter,
  within,
} from './waits.ts';

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

/** Each level takes two bytes: a shorter message is not walked through. */
const FEWEST_BYTES_TO_NEST = 1000;

export class Conversation implements ChannelListener {
  readonly server: string;
  readonly #channel: Channel;
  readonly #inbound: Inbound;
  readonly #waits: Waits;
  readonly #serving: Serving;
  #speech: Speech | undefined;
  #onlooker: Onlooker | undefined;
  #nextId = 1;
  /** How many messages came: a server that sends any is alive. */
  received = 0;
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
      onOverdue: (id, method, patience, waitedMs) => this.cancel(id, timedOut(server, method, patience, waitedMs)),
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

  /** Whether an answer is awaited that ends by a limit of its own. A subscription stays open for as long as the connection. */
  get awaitsAnswers(): boolean {
    return this.#waits.someOf(waiter => waiter.onAcknowledged === undefined);
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

  /** Never throws: what a server sends may be anything, and must not end the connection or the process. */
  onFrame(frame: Frame, during?: number): void {
    this.received++;
    try {
      this.#onlooker?.onReceived(frame);
      if (!this.#relays || !this.#handOver(frame)) this.#read(frame, during);
    } catch (error) {
      this.#inbound.onNoise(`a message could not be read: ${sentenceOf(error)}`);
    }
  }

  #read(frame: Frame, during: number | undefined): void {
    const over = this.#waits.overBound(frame);
    if (over) return this.onRefused(over.id, tooLargeFor(this.server, over));
    const message = parsedFrame(frame);
    if (message === undefined) {
      // An answer of ours that cannot be read must not leave its caller waiting.
      const at = findAnswerId(frame);
      if (at && this.#waits.has(at.id)) return this.onRefused(at.id, malformed(this.server, frame));
      return this.#inbound.onNoise(excerpt(frame));
    }
    if (!Array.isArray(message)) return this.#receive(message, frame, during);
    for (const [index, one] of message.entries()) this.#receive(one, frame, during, index);
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
    try {
      waiter.onBytes(frame, at);
    } catch (error) {
      waiter.onFailure(unreadableAnswer(this.server, frame, error));
    }
    return true;
  }

  /** `index`: its place in a batch. */
  #receive(message: unknown, frame: Frame, during: number | undefined, index?: number): void {
    if (typeof message !== 'object' || message === null) return this.#inbound.onNoise(excerpt(frame));
    const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
    if (typeof method !== 'string') {
      const waiting = this.#take(id as number);
      if (waiting) this.#settle(waiting.waiter, message as AnswerMessage, frame, index);
      return; // without one: late, cancelled, or never asked
    }
    // Timers and other requests pass such params on later, outside of this boundary.
    const tooDeep = frameBytes(frame) > FEWEST_BYTES_TO_NEST && nestsTooDeeply(params);
    if (id === undefined) {
      if (tooDeep) this.#inbound.onNoise(excerpt(frame));
      else this.#hear(method, params, during);
    } else if (typeof id === 'string' || typeof id === 'number') {
      if (tooDeep) this.#say(unreadableQuestion(id));
      else void this.#serving.answer(id, method, params, during);
    } else {
      this.#inbound.onNoise(excerpt(frame));
    }
  }

  #settle(waiter: Waiter, message: AnswerMessage, frame: Frame, index: number | undefined): void {
    if (!outcomeIn(message)) return waiter.onFailure(malformed(this.server, frame));
    try {
      if (!waiter.onBytes) return waiter.onMessage(message, frame);
      const plain = plainAnswer(frame, message, index);
      if (!plain) return waiter.onFailure(malformed(this.server, frame));
      waiter.onBytes(plain.frame, plain.at);
    } catch (error) {
      waiter.onFailure(unreadableAnswer(this.server, frame, error));
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
      } else if (method === 'notifications/subscriptions/acknowledged') {
        const { _meta } = (params ?? {}) as { _meta?: Record<string, unknown> };
        this.#waits.get(_meta?.[META.subscriptionId] as number)?.waiter.onAcknowledged?.();
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
