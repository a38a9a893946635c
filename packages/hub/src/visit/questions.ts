/** Requests to one client, and the answers that come back. */
import { Refusal, RPC_CODE } from '@junctor/core/inside';
import type { Question } from './party.ts';

interface Open {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export interface ClientAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
}

export class Questions {
  readonly #open = new Map<unknown, Open>();
  #count = 0;

  ask({ method, params, signal }: Question, say: (message: object) => void): Promise<unknown> {
    const id = `junctor-${++this.#count}`;
    return new Promise((resolve, reject) => {
      const withdraw = (): void => {
        if (!this.#open.delete(id)) return;
        say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        reject(signal.reason);
      };
      const over = (): void => signal.removeEventListener('abort', withdraw);
      this.#open.set(id, {
        resolve: result => {
          over();
          resolve(result);
        },
        reject: reason => {
          over();
          reject(reason);
        },
      });
      if (signal.aborted) return withdraw();
      signal.addEventListener('abort', withdraw);
      say({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    });
  }

  /** Takes an answer of the client. One that nobody waits for is of no interest. */
  settle({ id, result, error }: ClientAnswer): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    if (error === undefined) return open.resolve(result);
    // The client's own words: the server is told what the client said.
    const { code, message, data } = error ?? {};
    open.reject(
      new Refusal(Number.isInteger(code) ? Number(code) : RPC_CODE.internal, String(message ?? 'no answer'), data),
    );
  }

  /** The client is gone. */
  end(): void {
    for (const { reject } of this.#open.values()) reject(new Refusal(RPC_CODE.internal, 'The client is gone.'));
    this.#open.clear();
  }
}
