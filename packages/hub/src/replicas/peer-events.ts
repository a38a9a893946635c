/**
 * What happens at the other hubs on this database, for whoever listens here. While somebody does, a stream of events is open
 * to each of them. One that breaks is opened again and goes on after the last event; a hub that cannot be reached is named.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openPeer } from './ask-peer.ts';
import { forItself } from './peers.ts';
import type { Peer, Register } from './register.ts';

/** An event of another hub: its type, and the event as JSON. */
export interface ForeignEvent {
  readonly type: string;
  readonly data: string;
}

interface Stream {
  readonly abort: AbortController;
  /** Resolves once it is open, or could not be opened. */
  readonly begun: Promise<void>;
}

/** Whoever begins to listen waits so long for hubs that do not answer. */
const OPEN_MS = 2000;
const AGAIN_MS = 1000;

export class PeerEvents {
  readonly #register: Register;
  readonly #emit: (event: ForeignEvent) => void;
  readonly #streams = new Map<string, Stream>();
  #stopWatching: (() => void) | undefined;

  constructor(register: Register, emit: (event: ForeignEvent) => void) {
    this.#register = register;
    this.#emit = emit;
  }

  /** Resolves when every hub is listened to that can be. */
  async begin(): Promise<void> {
    this.#stopWatching ??= this.#register.onChange(() => this.#follow());
    this.#follow();
    await Promise.all([...this.#streams.values()].map(({ begun }) => begun));
  }

  end(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    for (const { abort } of this.#streams.values()) abort.abort();
    this.#streams.clear();
  }

  #follow(): void {
    const { peers } = this.#register;
    for (const [life, { abort }] of this.#streams) {
      if (peers.some(peer => peer.life === life)) continue;
      abort.abort();
      this.#streams.delete(life);
    }
    for (const peer of peers) {
      if (this.#streams.has(peer.life)) continue;
      const abort = new AbortController();
      const { promise: begun, resolve } = Promise.withResolvers<void>();
      this.#streams.set(peer.life, { abort, begun });
      void this.#listen(peer, abort.signal, resolve);
    }
  }

  async #listen(peer: Peer, signal: AbortSignal, begun: () => void): Promise<void> {
    let last: string | undefined;
    let told = false;
    while (!signal.aborted) {
      const opening = new AbortController();
      const patience = setTimeout(() => opening.abort(), OPEN_MS);
      try {
        const headers = last === undefined ? {} : { 'last-event-id': last };
        const both = AbortSignal.any([signal, opening.signal]);
        const path = forItself('/api/events');
        const proof = this.#register.proofFor(peer.life, path);
        const stream = await openPeer(peer, { path, proof, headers, signal: both });
        clearTimeout(patience);
        told = false;
        begun();
        for await (const { id, ...event } of eventsIn(stream)) {
          last = id ?? last;
          this.#emit({ ...event, data: from(peer, event.data) });
        }
      } catch (error) {
        if (!told && !signal.aborted) this.#unreachable(peer, error);
        told = true;
      }
      clearTimeout(patience);
      begun();
      await sleep(AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  #unreachable({ id, url }: Peer, error: unknown): void {
    const type = 'hub-unreachable';
    this.#emit({ type, data: JSON.stringify({ type, hub: id, url, why: (error as Error).message }) });
  }
}

/** Says of which hub it is. */
function from({ id }: Peer, data: string): string {
  return data.startsWith('{"') ? `{"hub":${JSON.stringify(id)},${data.slice(1)}` : data;
}

async function* eventsIn(stream: AsyncIterable<Buffer>): AsyncGenerator<ForeignEvent & { readonly id?: string }> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of stream) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(': ') + 2)]),
      ) as { id?: string; event?: string; data?: string };
      text = text.slice(end + 2);
      const { id, event, data } = fields;
      if (event !== undefined && data !== undefined) yield { type: event, data, ...(id === undefined ? {} : { id }) };
    }
  }
}
