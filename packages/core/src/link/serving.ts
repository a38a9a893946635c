/** The questions of a server that are being answered: each can be withdrawn by it, and all end with the connection. */
import type { JunctorError } from '../base/error.ts';
import { rpcError } from './failures.ts';

export interface ServingOptions {
  readonly answer: (method: string, params: unknown, signal: AbortSignal, during?: number) => Promise<unknown>;
  readonly say: (text: string) => void;
  /** Told after each answer: the time it took was ours, not the server's. */
  readonly onAnswered: () => void;
}

export class Serving {
  readonly #options: ServingOptions;
  /** By what can be withdrawn: a server may give two questions the same id. */
  readonly #running = new Map<AbortController, unknown>();

  constructor(options: ServingOptions) {
    this.#options = options;
  }

  /** True while the server waits for us. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  async answer(id: unknown, method: string, params: unknown, during?: number): Promise<void> {
    const running = new AbortController();
    this.#running.set(running, id);
    let tail: string;
    try {
      tail = `"result":${JSON.stringify((await this.#options.answer(method, params, running.signal, during)) ?? {})}`;
    } catch (error) {
      tail = `"error":${JSON.stringify(rpcError(error))}`;
    }
    this.#running.delete(running);
    this.#options.onAnswered();
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
