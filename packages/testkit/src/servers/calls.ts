/** The requests that run for one client: calls of tools among them are counted, and all can be cancelled. */
import type { RequestId } from './rpc.ts';

export interface Counts {
  readonly running: number;
  readonly cancelled: number;
}

export interface RunningRequest {
  readonly signal: AbortSignal;
  done(): void;
}

interface Running {
  readonly abort: AbortController;
  readonly isCall: boolean;
}

export class Calls {
  readonly #running = new Map<unknown, Running>();
  #cancelled = 0;

  /** What runs beside the call that asks. */
  get counts(): Counts {
    const calls = [...this.#running.values()].filter(({ isCall }) => isCall);
    return { running: Math.max(0, calls.length - 1), cancelled: this.#cancelled };
  }

  /** Over HTTP of the modern era every client has ids of its own: there the key is something nobody else has. */
  begin(key: RequestId | symbol, method: string): RunningRequest {
    const abort = new AbortController();
    this.#running.set(key, { abort, isCall: method === 'tools/call' });
    return { signal: abort.signal, done: () => this.#running.delete(key) };
  }

  cancel(key: unknown): void {
    const running = this.#running.get(key);
    if (!running) return;
    if (running.isCall) this.#cancelled++;
    this.#running.delete(key);
    running.abort.abort();
  }

  /** The client is gone: what runs for it stops. */
  end(): void {
    for (const { abort } of this.#running.values()) abort.abort();
    this.#running.clear();
  }
}
