/** The questions of a server that are being answered: each can be withdrawn by it, and all end with the connection. */

import type { JunctorError } from '../../base/error.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import { rpcError } from './failures.ts';

export interface ServingOptions {
  readonly answer: (method: string, params: unknown, signal: AbortSignal, during?: number) => Promise<unknown>;
  readonly say: (text: string) => void;
  /** Told when nothing is left to answer: for so long the server waited for us, and not we for it. */
  readonly onAllAnswered: (waitedMs: number) => void;
}

export class Serving {
  readonly #options: ServingOptions;
  /** By what can be withdrawn: a server may give two questions the same id. */
  readonly #running = new Map<AbortController, unknown>();
  #busySince = 0;

  constructor(options: ServingOptions) {
    this.#options = options;
  }

  /** True while the server waits for us. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  async answer(id: unknown, method: string, params: unknown, during?: number): Promise<void> {
    const running = new AbortController();
    if (!this.busy) this.#busySince = monotonicMs();
    this.#running.set(running, id);
    let tail: string;
    try {
      tail = `"result":${JSON.stringify((await this.#options.answer(method, params, running.signal, during)) ?? {})}`;
    } catch (error) {
      tail = `"error":${errorText(error)}`;
    }
    this.#running.delete(running);
    if (!this.busy) this.#options.onAllAnswered(monotonicMs() - this.#busySince);
    if (!running.signal.aborted) this.#options.say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${tail}}`);
  }

  /** The server does not want this answer any more. */
  withdraw(id: unknown, reason: JunctorError): void {
    for (const [running, own] of this.#running) if (own === id) running.abort(reason);
  }

  end(reason: JunctorError): void {
    for (const running of this.#running.keys()) running.abort(reason);
  }
}

/** The details of an error may be anything: where they cannot be written, the server is told the rest. */
function errorText(error: unknown): string {
  const { data, ...told } = rpcError(error);
  try {
    return JSON.stringify(data === undefined ? told : { ...told, data });
  } catch {
    return JSON.stringify(told);
  }
}
