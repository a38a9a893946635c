/** The test server as people start it: on stdio, or on a port of this machine over Streamable HTTP. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { TestServer, type TestServerOptions } from './answer.ts';

export type { TestServerOptions } from './answer.ts';

/** Serves one client on stdin and stdout until stdin ends. */
export async function serveStdio(options: TestServerOptions = {}): Promise<void> {
  const server = new TestServer(options);
  const say = (message: object): void => {
    process.stdout.write(`${JSON.stringify(message)}\n`);
  };
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    try {
      void server.receive(JSON.parse(line), say);
    } catch {
      say({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
    }
  }
}

export interface HttpTestServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves any number of sessions on 127.0.0.1; port 0 takes a free one. */
export async function serveHttp(port: number, options: TestServerOptions = {}): Promise<HttpTestServer> {
  const sessions = new Map<string, TestServer>();
  const http = createServer((request, response) => {
    void answerHttp(request, response, sessions, options).catch(() => response.destroy());
  });
  await listening(http, port);
  const address = http.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    close: () =>
      new Promise(resolve => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, TestServer>,
  options: TestServerOptions,
): Promise<void> {
  const sessionId = request.headers['mcp-session-id'] as string | undefined;
  if (request.method === 'DELETE' && sessionId) {
    sessions.delete(sessionId);
    response.writeHead(204).end();
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST, DELETE' }).end();
    return;
  }
  const body = await readBody(request);
  const message = JSON.parse(body) as { id?: unknown; method?: string };
  const opening = message.method === 'initialize';
  const session = opening ? new TestServer(options) : sessions.get(sessionId ?? '');
  if (!session) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"unknown session"}');
    return;
  }
  if (opening) {
    const id = randomUUID();
    sessions.set(id, session);
    response.setHeader('mcp-session-id', id);
  }
  await session.receive(message as never, saying => write(response, saying, message.id));
  if (!response.headersSent) response.writeHead(202);
  response.end();
}

/** The answer alone is a JSON document; anything before it turns the response into an event stream. */
function write(response: ServerResponse, saying: object, requestId: unknown): void {
  const text = JSON.stringify(saying);
  const isAnswer = (saying as { id?: unknown }).id === requestId;
  if (isAnswer && !response.headersSent) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.write(text);
    return;
  }
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`event: message\ndata: ${text}\n\n`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
