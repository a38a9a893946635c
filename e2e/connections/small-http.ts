/** The smallest server over HTTP that can be listed and called, and does something else where a test says so. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

export interface Exchange {
  readonly asked: Asked;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Answers the request with this result or error. */
  answer(message: object): true;
}

export interface SmallHttp extends AsyncDisposable {
  readonly origin: string;
  readonly url: string;
  /** How many connections are open. */
  connections(): Promise<number>;
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'small', version: '1' },
  },
  'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
  ping: {},
};

/** `otherwise` returns true for what it has answered, or will not answer. */
export async function answerSmall(
  request: IncomingMessage,
  response: ServerResponse,
  otherwise: (exchange: Exchange) => true | undefined = () => undefined,
): Promise<unknown> {
  let body = '';
  for await (const piece of request) body += piece;
  const asked = (body.startsWith('{') ? JSON.parse(body) : {}) as Asked;
  const answer = (message: object): true => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...message }));
    return true;
  };
  if (otherwise({ asked, request, response, answer })) return;
  if (request.method !== 'POST') return response.writeHead(request.method === 'DELETE' ? 204 : 405).end();
  if (asked.id === undefined) return response.writeHead(202).end();
  const result = RESULTS[asked.method ?? ''];
  return answer(result ? { result } : { error: { code: -32601, message: 'Method not found' } });
}

export async function smallHttp(otherwise: (exchange: Exchange) => true | undefined): Promise<SmallHttp> {
  const http = createServer((request, response) => answerSmall(request, response, otherwise));
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/mcp`,
    connections: () => new Promise(resolve => http.getConnections((_error, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise(resolve => http.close(resolve));
    },
  };
}

/** An event stream that is left open. */
export function openStream(response: ServerResponse, text = ''): true {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  if (text) response.write(text);
  return true;
}
