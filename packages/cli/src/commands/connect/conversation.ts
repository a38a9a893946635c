/** What a client said that another hub would have to know, and what either side has not been answered yet. */
import type { Frame } from '@junctor/core/internal';
import type { HoldNotice } from '@junctor/hub';
import { batchIn, type Envelope, envelopeOf } from './envelope.ts';

const HELD = 'notifications/junctor/held' satisfies HoldNotice;
const RELEASED = 'notifications/junctor/released' satisfies HoldNotice;

/** What was open when the hub ended, as ids in JSON. */
export interface Lost {
  /** Requests that waited for approval: no server has them. */
  readonly held: readonly string[];
  /** Requests that a server may have. */
  readonly sent: readonly string[];
  readonly questions: readonly string[];
}

export class Conversation {
  /** Requests without an answer, by their id as JSON. */
  readonly #waiting = new Set<string>();
  /** What is said again to a hub that was restarted, in this order. In the 2026-07-28 era there is nothing to say. */
  readonly #told = new Map<string, Frame>();
  /** Answers to what was said again: the client had them before. */
  readonly #repeated = new Set<string>();
  /** Of the requests without an answer, those that wait for approval: no server has them. */
  readonly #held = new Set<string>();
  /** The id of `initialize`, until it is answered. */
  #initializing: string | undefined;
  #initialized = false;
  /** Questions of the hub that the client has not answered. */
  readonly #questions = new Set<string>();

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether `initialize` was answered: before that a client expects no notification. */
  get initialized(): boolean {
    return this.#initialized;
  }

  /** Whether the hub gets it. An answer to a question that this hub did not ask, or withdrew, goes nowhere. */
  asked(frame: Frame): boolean {
    const batch = batchIn(frame);
    // Of a batch all goes or nothing: what is late in it names no question of this hub.
    return batch ? batch.filter(one => this.#asked(one)).length > 0 : this.#asked(frame);
  }

  #asked(frame: Frame): boolean {
    const { id, method, params } = envelopeOf(frame);
    if (id !== undefined && method === undefined) return this.#questions.delete(id);
    if (id !== undefined) this.#waiting.add(id);
    if (method === 'initialize') this.#initializing = id;
    if (method === 'initialize' || method === 'notifications/initialized' || method === 'logging/setLevel')
      this.#told.set(method, frame);
    else if (method === 'resources/subscribe') this.#told.set(`resource ${params?.uri}`, frame);
    else if (method === 'resources/unsubscribe') this.#told.delete(`resource ${params?.uri}`);
    return true;
  }

  /** Whether the client is told of it. */
  answered(frame: Frame): boolean {
    const batch = batchIn(frame);
    return batch ? batch.filter(one => this.#answered(one)).length > 0 : this.#answered(frame);
  }

  #answered(frame: Frame): boolean {
    const { id, method, params } = envelopeOf(frame);
    if (method !== undefined) return this.#said(id, method, params);
    if (id === undefined) return true;
    if (this.#repeated.delete(id)) return false;
    this.#waiting.delete(id);
    this.#held.delete(id);
    if (id === this.#initializing) {
      this.#initializing = undefined;
      this.#initialized = true;
    }
    return true;
  }

  /** The hub is gone: what it had not answered it never will, and nobody waits for answers to its questions. */
  lost(): Lost {
    const held = [...this.#waiting].filter(id => this.#held.has(id));
    const sent = [...this.#waiting].filter(id => !this.#held.has(id));
    const questions = [...this.#questions];
    this.#initializing = undefined;
    for (const all of [this.#waiting, this.#repeated, this.#held, this.#questions]) all.clear();
    return { held, sent, questions };
  }

  /** What a new hub is told first. A request that still waits to be sent is not said twice. */
  again(): Frame[] {
    return [...this.#told.values()].filter(frame => {
      const { id } = envelopeOf(frame);
      if (id === undefined) return true;
      if (this.#waiting.has(id)) return false;
      this.#repeated.add(id);
      return true;
    });
  }

  /** A request or a notification of the hub. */
  #said(id: string | undefined, method: string, params: Envelope['params']): boolean {
    const about = JSON.stringify(params?.requestId);
    if (id !== undefined) this.#questions.add(id);
    else if (method === HELD) this.#held.add(about);
    else if (method === RELEASED) this.#held.delete(about);
    else if (method === 'notifications/cancelled') this.#questions.delete(about);
    return method !== HELD && method !== RELEASED;
  }
}
