/** The protocol side of the test server: one message in, its answers out, whatever the transport. */
import { type TestTool, testTools } from './tools.ts';

export interface TestServerOptions {
  /** At least this many tools. */
  readonly tools?: number | undefined;
  /** Tools per page of tools/list. */
  readonly pageSize?: number | undefined;
  /** How long the answer to initialize takes. */
  readonly delayMs?: number | undefined;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Record<string, unknown>;
    readonly cursor?: string;
    readonly protocolVersion?: string;
    readonly requestId?: string | number;
    readonly _meta?: { readonly progressToken?: string | number };
  };
}

export type Say = (message: object) => void;

const SPOKEN = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** One connection's worth of server. */
export class TestServer {
  readonly #tools: readonly TestTool[];
  readonly #options: TestServerOptions;
  readonly #running = new Map<string | number, AbortController>();
  #cancelled = 0;

  constructor(options: TestServerOptions = {}) {
    this.#options = options;
    this.#tools = testTools(options.tools ?? 0);
  }

  /** Handles one message; resolves when everything that belongs to it was said. */
  async receive(message: Message, say: Say): Promise<void> {
    const { id, method } = message;
    if (id === undefined || method === undefined) {
      if (method === 'notifications/cancelled') this.#cancel(message.params?.requestId ?? '');
      return;
    }
    try {
      const result = await this.#answer(id, message, say);
      if (result) say({ jsonrpc: '2.0', id, result });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32603;
      say({ jsonrpc: '2.0', id, error: { code, message: (error as Error).message } });
    }
  }

  /** The client is gone: what runs for it stops. */
  end(): void {
    for (const running of this.#running.values()) running.abort();
  }

  async #answer(id: string | number, { method, params }: Message, say: Say): Promise<object | undefined> {
    switch (method) {
      case 'initialize':
        if (this.#options.delayMs) await new Promise(resolve => setTimeout(resolve, this.#options.delayMs));
        return this.#greeting(params?.protocolVersion);
      case 'ping':
        return {};
      case 'tools/list':
        return this.#page(params?.cursor);
      case 'tools/call':
        return this.#call(id, params, say);
      default:
        throw new RpcError(-32601, `Method not found: ${method}`);
    }
  }

  #cancel(id: string | number): void {
    const running = this.#running.get(id);
    if (!running) return;
    this.#cancelled++;
    this.#running.delete(id);
    running.abort();
  }

  #greeting(asked: string | undefined): object {
    return {
      protocolVersion: asked && SPOKEN.includes(asked) ? asked : SPOKEN[0],
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'junctor-test-server', version: '0.1.0' },
      instructions: 'Tools for trying a host: echo, fail, slow, json_response, big, pid, state.',
    };
  }

  #page(cursor: string | undefined): object {
    const from = Number(cursor ?? 0);
    const size = this.#options.pageSize ?? this.#tools.length;
    const tools = this.#tools.slice(from, from + size).map(tool => tool.definition);
    return from + size < this.#tools.length ? { tools, nextCursor: String(from + size) } : { tools };
  }

  /** Undefined when the call was cancelled: a cancelled call gets no answer. */
  async #call(id: string | number, params: Message['params'], say: Say): Promise<object | undefined> {
    const tool = this.#tools.find(candidate => candidate.definition.name === params?.name);
    if (!tool) throw new RpcError(-32602, `Unknown tool: ${params?.name}`);
    const abort = new AbortController();
    this.#running.set(id, abort);
    const token = params?._meta?.progressToken;
    try {
      return await tool.run(params?.arguments ?? {}, {
        signal: abort.signal,
        counts: { running: this.#running.size - 1, cancelled: this.#cancelled },
        progress: (progress, total, message) => {
          if (token === undefined) return;
          say({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: token, progress, total, message },
          });
        },
      });
    } catch (error) {
      if (abort.signal.aborted) return undefined;
      throw error;
    } finally {
      this.#running.delete(id);
    }
  }
}

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
