/** Requests to one client, and the answers that come back. */
import { randomUUID } from 'node:crypto';
import { Refusal, RPC_CODE } from '@junctor/core/internal';
import type { Question } from './party.ts';

interface Open {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export interface ClientAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } | null;
}

export class Questions {
  readonly #open = new Map<unknown, Open>();

  ask({ method, params, signal }: Question, say: (message: object) => void): Promise<unknown> {
    // A client outlives a session, and may answer a question of an earlier one: no other question may have that id.
    const id = `junctor-${randomUUID()}`;
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
    // Older JSON-RPC writes an error of null beside a result.
    if (error === undefined || error === null) return open.resolve(result);
    // The client's own words: the server is told what the client said.
    const { code, message, data } = error;
    open.reject(
      new Refusal(
        Number.isInteger(code) ? Number(code) : RPC_CODE.internal,
        typeof message === 'string' ? message : 'no answer',
        data,
      ),
    );
  }

  /** The client is gone. */
  end(): void {
    for (const { reject } of this.#open.values()) reject(new Refusal(RPC_CODE.internal, 'The client is gone.'));
    this.#open.clear();
  }
}
