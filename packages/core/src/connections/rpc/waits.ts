/** The requests that wait for an answer, and how long each may. One timer serves them all. */

import type { JunctorError } from '../../base/error.ts';
import { Passing } from '../../base/passing.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import { type AnswerId, findAnswerId } from './answer-id.ts';
import { Deadlines } from './deadlines.ts';
import { type Frame, frameBytes } from './frame.ts';

/** Receives one answer, as bytes or as a value. What it throws fails its own request, and nothing else. */
export type Waiter = ByteWaiter | ValueWaiter;

interface AnyWaiter {
  readonly onProgress?: ((params: ProgressParams) => void) | undefined;
  /** The server has begun to serve a subscription; its answer comes when it ends. */
  readonly onAcknowledged?: (() => void) | undefined;
  onFailure(error: JunctorError): void;
}

/** Every answer arrives as the bytes of one plain JSON-RPC answer, however its server wrote it. */
export interface ByteWaiter extends AnyWaiter {
  onBytes(frame: Frame, at: AnswerId): void;
}

export interface ValueWaiter extends AnyWaiter {
  readonly onBytes?: undefined;
  /** A larger answer fails the request, and is not parsed. */
  readonly maxBytes?: number | undefined;
  onMessage(message: AnswerMessage, frame: Frame): void;
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
  /** The config keys that say so, for the error. */
  readonly keys?: { readonly idle: string; readonly total: string } | undefined;
  /** The limit of the whole call, where earlier rounds of questions have used up some of it. */
  readonly wholeMs?: number | undefined;
}

/** The same, where no more than this is left. */
export function within({ idleMs, totalMs, keys, wholeMs = totalMs }: Patience, leftMs: number): Patience {
  return { idleMs: Math.min(idleMs, leftMs), totalMs: Math.min(totalMs, leftMs), keys, wholeMs };
}

export interface Waiting {
  readonly waiter: Waiter;
  readonly method: string;
  readonly patience: Patience;
  readonly since: number;
  dueAt: number;
}

export interface OverBound {
  readonly id: number;
  readonly method: string;
  readonly bytes: number;
  readonly maxBytes: number;
}

export interface WaitsOptions {
  /** True while the server waits for us, and not we for it. */
  readonly isPaused: () => boolean;
  readonly onOverdue: (id: number, method: string, patience: Patience, waitedMs: number) => void;
}

/** How soon requests are looked at again that wait while we answer the server. */
const LOOK_AGAIN_MS = 1000;
/** Held on our side: its time does not run. */
const NEVER = Number.POSITIVE_INFINITY;

export class Waits {
  readonly #waiting = new Passing<number, Waiting>();
  readonly #deadlines = new Deadlines(now => this.#expire(now));
  readonly #options: WaitsOptions;
  /** Of any answer so far: larger frames are looked at before they are parsed. */
  #smallestBound = Number.POSITIVE_INFINITY;

  constructor(options: WaitsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.size;
  }

  has(id: number): boolean {
    return this.#waiting.has(id);
  }

  get(id: number): Waiting | undefined {
    return this.#waiting.get(id);
  }

  someOf(matches: (waiter: Waiter) => boolean): boolean {
    for (const { waiter } of this.#waiting.values()) if (matches(waiter)) return true;
    return false;
  }

  get ids(): number[] {
    return this.#waiting.entries().map(([id]) => id);
  }

  add(id: number, method: string, patience: Patience, waiter: Waiter): void {
    const now = monotonicMs();
    const dueAt = now + Math.min(patience.idleMs, patience.totalMs);
    this.#waiting.set(id, { waiter, method, patience, since: now, dueAt });
    const bound = boundOf(waiter);
    if (bound !== undefined && bound < this.#smallestBound) this.#smallestBound = bound;
    this.#deadlines.expect(dueAt, now);
  }

  /** The request that this frame answers, where the frame is larger than that request takes. */
  overBound(frame: Frame): OverBound | undefined {
    const bytes = frameBytes(frame);
    if (bytes <= this.#smallestBound) return undefined;
    const id = findAnswerId(frame)?.id;
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    const maxBytes = waiting && boundOf(waiting.waiter);
    if (id === undefined || !waiting || maxBytes === undefined || bytes <= maxBytes) return undefined;
    return { id, method: waiting.method, bytes, maxBytes };
  }

  take(id: number): Waiting | undefined {
    return this.#waiting.take(id);
  }

  hold(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting) waiting.dueAt = NEVER;
  }

  /** It has left only now. */
  sent(id: number): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    const now = monotonicMs();
    waiting.dueAt = now + Math.min(waiting.patience.idleMs, waiting.patience.totalMs);
    this.#deadlines.expect(waiting.dueAt, now);
  }

  /** A life sign: the time of its silence begins anew. */
  renew(waiting: Waiting): void {
    const { idleMs, totalMs } = waiting.patience;
    waiting.dueAt = Math.min(monotonicMs() + idleMs, waiting.since + totalMs);
  }

  /** The time a person took to answer the server is not silence of the server. A question that took none changes nothing. */
  prolong(ms: number): void {
    const now = monotonicMs();
    for (const waiting of this.#waiting.values()) {
      if (waiting.dueAt === NEVER) continue;
      const { since, patience } = waiting;
      waiting.dueAt = Math.min(waiting.dueAt + Math.min(ms, now - since), since + patience.totalMs);
    }
  }

  /** Nothing is watched any more. */
  clear(): void {
    this.#deadlines.clear();
  }

  /** Ends what is overdue; returns when the next may be. */
  #expire(now: number): number {
    const paused = this.#options.isPaused();
    let next = NEVER;
    for (const [id, { dueAt: due, method, since, patience }] of this.#waiting.entries()) {
      const dueAt = paused ? Math.max(due, since + patience.totalMs) : due;
      if (dueAt > now) next = Math.min(next, paused ? Math.min(dueAt, now + LOOK_AGAIN_MS) : dueAt);
      else this.#options.onOverdue(id, method, patience, now - since);
    }
    return next;
  }
}

function boundOf(waiter: Waiter): number | undefined {
  return waiter.onBytes ? undefined : waiter.maxBytes;
}
