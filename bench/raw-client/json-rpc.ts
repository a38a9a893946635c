/** The little of JSON-RPC and MCP that the bench's own clients and servers need. */
export interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** A client that adds nothing to the protocol: the floor, and the load on gateways. */
export interface RawClient {
  request(method: string, params: object): Promise<unknown>;
  close(): Promise<void>;
}

export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'junctor-bench', version: '1' },
};

export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;

/** Requests that wait for their answer, on a wire where answers come in any order. */
export class Waiting {
  readonly #waiting = new Map<number | string, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  /** Numbers a request, hands it to `send`, and waits for its answer. */
  ask(method: string, params: object, send: (message: object) => void): Promise<unknown> {
    const id = ++this.#lastId;
    const waiter = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiter);
    send({ jsonrpc: '2.0', id, method, params });
    return waiter.promise;
  }

  settle(message: Message): void {
    if (message.id === undefined || message.method !== undefined) return;
    const waiter = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiter?.reject(refusal(message.error));
    else waiter?.resolve(message.result);
  }

  failAll(reason: string): void {
    for (const waiter of this.#waiting.values()) waiter.reject(new Error(reason));
    this.#waiting.clear();
  }
}

export function refusal(error: unknown): Error {
  return new Error(`the server answered with an error: ${JSON.stringify(error)}`);
}

export async function listTools(client: RawClient): Promise<readonly { readonly name: string }[]> {
  return ((await client.request('tools/list', {})) as { tools: { name: string }[] }).tools;
}
