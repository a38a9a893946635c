import { createServer, type Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { quietPort } from '@junctor/testkit';

/** A small HTTP server that can be stopped and started again at its address; counts the calls that reached it. */
export class Restartable implements AsyncDisposable {
  calls = 0;
  #server: Server | undefined;
  #port = 0;

  async start(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
      if (id === undefined) return response.writeHead(202).end();
      if (method === 'tools/call') this.calls++;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(id, method)));
    });
    this.#port ||= await quietPort();
    await new Promise<void>(resolve => this.#server?.listen(this.#port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  /** Goes away; what the other side kept of its connections is gone a few turns later. */
  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise(resolve => this.#server?.close(resolve));
    for (let turns = 0; turns < 20; turns++) await turn();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

function answer(id: number, method: string | undefined): object {
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'r', version: '1' } },
    'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'paid' }] },
  };
  const result = results[method ?? ''];
  return { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) };
}
