/** The questions of a server that are being answered: each can be withdrawn by it, and all end with the connection. */
import type { JunctorError } from '../base/error.ts';
import { rpcError } from './failures.ts';

export interface ServingOptions {
  readonly answer: (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;
  readonly say: (text: string) => void;
  /** Told after each answer: the time it took was ours, not the server's. */
  readonly onAnswered: () => void;
}

export class Serving {
  readonly #options: ServingOptions;
  readonly #running = new Map<unknown, AbortController>();

  constructor(options: ServingOptions) {
    this.#options = options;
  }

  /** True while the server waits for us. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  async answer(id: unknown, method: string, params: unknown): Promise<void> {
    const running = new AbortController();
    this.#running.set(id, running);
    let tail: string;
    try {
      tail = `"result":${JSON.stringify((await this.#options.answer(method, params, running.signal)) ?? {})}`;
    } catch (error) {
      tail = `"error":${JSON.stringify(rpcError(error))}`;
    }
    this.#running.delete(id);
    this.#options.onAnswered();
    if (!running.signal.aborted) this.#options.say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${tail}}`);
  }

  /** The server does not want this answer any more. */
  withdraw(id: unknown, reason: JunctorError): void {
    this.#running.get(id)?.abort(reason);
  }

  end(reason: JunctorError): void {
    for (const running of this.#running.values()) running.abort(reason);
  }
}
