/** The test server as people start it: on stdio, or on a port of this machine over HTTP, SSE or WebSocket. */
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
  const served = await listenAt(http, port, '/mcp', 'http');
  return {
    url: served.url,
    async close() {
      for (const session of sessions.values()) session.end();
      await served.close();
    },
  };
}

/** The older HTTP+SSE transport: a GET stream for what the server says, an address of its own for what it is told. */
export async function serveSse(port: number, options: TestServerOptions = {}): Promise<HttpTestServer> {
  const streams = new Map<string, { server: TestServer; response: ServerResponse }>();
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && url.pathname === '/sse') {
      const id = randomUUID();
      const server = new TestServer(options);
      streams.set(id, { server, response });
      response.on('close', () => {
        streams.delete(id);
        server.end();
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /message?session=${id}\n\n`);
      return;
    }
    const stream = streams.get(url.searchParams.get('session') ?? '');
    if (request.method !== 'POST' || !stream) {
      response.writeHead(request.method === 'POST' ? 404 : 405).end();
      return;
    }
    void readBody(request).then(body => {
      response.writeHead(202).end();
      const say = (message: object): void => {
        stream.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      };
      return stream.server.receive(JSON.parse(body), say);
    });
  });
  return listenAt(http, port, '/sse', 'http');
}

/** One JSON-RPC message per WebSocket message. */
export async function serveWs(port: number, options: TestServerOptions = {}): Promise<HttpTestServer> {
  const { WebSocketServer } = await import('ws');
  const http = createServer((_request, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  sockets.on('connection', socket => {
    const server = new TestServer(options);
    socket.on('close', () => server.end());
    socket.on(
      'message',
      data => void server.receive(JSON.parse(String(data)), message => socket.send(JSON.stringify(message))),
    );
  });
  const served = await listenAt(http, port, '/', 'ws');
  return {
    url: served.url,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      await served.close();
    },
  };
}

async function listenAt(http: Server, port: number, path: string, protocol: 'http' | 'ws'): Promise<HttpTestServer> {
  await listening(http, port);
  const address = http.address() as { port: number };
  return {
    url: `${protocol}://127.0.0.1:${address.port}${path}`,
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
