/** What a client said that another hub would have to know, and what it has not been answered yet. */
import type { Frame } from '@junctor/core/inside';
import { type Envelope, envelopeOf } from './envelope.ts';

export class Conversation {
  /** Requests without an answer, by their id as JSON. */
  readonly #waiting = new Set<string>();
  /** What is said again to a hub that was restarted, in this order. In the 2026-07-28 era there is nothing to say. */
  readonly #told = new Map<string, Frame>();
  /** Answers to what was said again: the client had them before. */
  readonly #repeated = new Set<string>();

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether the client greeted, so that its session can be begun again. */
  get greeted(): boolean {
    return this.#told.has('initialize');
  }

  asked(frame: Frame): Envelope {
    const envelope = envelopeOf(frame);
    const { id, method, params } = envelope;
    if (id !== undefined && method !== undefined) this.#waiting.add(id);
    if (method === 'initialize' || method === 'notifications/initialized' || method === 'logging/setLevel')
      this.#told.set(method, frame);
    else if (method === 'resources/subscribe') this.#told.set(`resource ${params?.uri}`, frame);
    else if (method === 'resources/unsubscribe') this.#told.delete(`resource ${params?.uri}`);
    return envelope;
  }

  /** Whether the client is told of it. */
  answered(frame: Frame): boolean {
    const { id, method } = envelopeOf(frame);
    if (id === undefined || method !== undefined) return true;
    if (this.#repeated.delete(id)) return false;
    this.#waiting.delete(id);
    return true;
  }

  /** The hub is gone: what it had not answered it never will. */
  lost(): string[] {
    const lost = [...this.#waiting];
    this.#waiting.clear();
    this.#repeated.clear();
    return lost;
  }

  /** What a new hub is told first. */
  again(): Frame[] {
    for (const frame of this.#told.values()) {
      const { id } = envelopeOf(frame);
      if (id !== undefined) this.#repeated.add(id);
    }
    return [...this.#told.values()];
  }
}
