/** One numbered stream of events: a client that lost it can take it up where it broke. */
import type { ServerResponse } from 'node:http';
import { frameBytes } from '@junctor/core/internal';
import { asOneLine } from '../visit/reply.ts';
import { MOST_UNREAD } from '../visit/unread.ts';
import { EVENT_STREAM } from './stream-headers.ts';

/** A client that is away for longer than this has lost the oldest: memory must not grow with its absence. */
const MAX_EVENTS = 256;
export const MAX_KEPT_BYTES: number = 1024 * 1024;

interface NumberedEvent {
  readonly number: number;
  readonly pieces: readonly Buffer[];
  readonly bytes: number;
}

const EVENT_END = Buffer.from('\n\n');

export class EventLog {
  readonly #name: string | undefined;
  readonly #kept: NumberedEvent[] = [];
  #keptBytes = 0;
  #count = 0;
  /** The last event that somebody got. */
  #sent = 0;
  #over = false;
  readonly #onOver: (() => void) | undefined;
  #response: ServerResponse | undefined;
  /** Told when its reader is gone; it may come back. */
  onLeft: (() => void) | undefined;

  /** Without a name its events have no numbers, and none is kept. `onOver`: nothing more will be written to it. */
  constructor(name?: string, onOver?: () => void) {
    this.#name = name;
    this.#onOver = onOver;
  }

  get open(): boolean {
    return this.#response !== undefined;
  }

  /** Whether every event was written to some reader. A reader that broke off may still lack the last of them. */
  get written(): boolean {
    return this.#sent === this.#count;
  }

  /** Whether the client lets what it is sent pile up. */
  get congested(): boolean {
    return this.#response?.writableNeedDrain ?? false;
  }

  /** What its reader has not taken yet, in bytes. */
  get unread(): number {
    return this.#response?.writableLength ?? 0;
  }

  /** Goes on over this response: with what nobody got yet, or with all that came after an event. */
  attach(response: ServerResponse, after: number = this.#sent): void {
    this.#response?.end();
    this.#response = response;
    response.on('close', () => {
      if (this.#response !== response) return;
      this.#response = undefined;
      this.onLeft?.();
    });
    response.writeHead(200, EVENT_STREAM);
    response.flushHeaders();
    // A session that was taken up from another hub begins to count anew.
    const from = after > this.#count ? this.#sent : after;
    for (const event of this.#kept) if (event.number > from) this.#write(event);
    if (this.#over) this.#hangUp();
  }

  say(message: object): void {
    this.push([Buffer.from(JSON.stringify(message))]);
  }

  /** `standIn` is kept in the place of a message that is too large to be kept. Without one such a message is not kept. */
  push(message: readonly Buffer[], standIn?: (bytes: number) => string): void {
    const pieces = asOneLine(message);
    const number = ++this.#count;
    const event = { number, pieces, bytes: frameBytes(pieces) };
    if (this.#name !== undefined) {
      if (event.bytes <= MAX_KEPT_BYTES) this.#keep(event);
      else if (standIn) {
        const instead = Buffer.from(standIn(event.bytes));
        this.#keep({ number, pieces: [instead], bytes: instead.length });
      }
    }
    this.#write(event);
  }

  /** Nothing more will come; what is kept can still be fetched. */
  end(): void {
    if (!this.#over) this.#onOver?.();
    this.#over = true;
    this.#hangUp();
  }

  /** Its reader may read no more here; it can be taken up again. */
  leave(response: ServerResponse): void {
    if (this.#response !== response) return;
    this.#hangUp();
    this.onLeft?.();
  }

  #keep(event: NumberedEvent): void {
    this.#kept.push(event);
    this.#keptBytes += event.bytes;
    while (this.#kept.length > MAX_EVENTS || this.#keptBytes > MAX_KEPT_BYTES)
      this.#keptBytes -= this.#kept.shift()?.bytes ?? 0;
  }

  #hangUp(): void {
    this.#response?.end();
    this.#response = undefined;
  }

  #write({ number, pieces }: NumberedEvent): void {
    const response = this.#response;
    if (!response) return;
    if (response.writableLength > MOST_UNREAD) {
      response.destroy();
      return;
    }
    this.#sent = Math.max(this.#sent, number);
    response.write(`${this.#name === undefined ? '' : `id: ${this.#name}_${number}\n`}event: message\ndata: `);
    for (const piece of pieces) response.write(piece);
    response.write(EVENT_END);
  }
}
