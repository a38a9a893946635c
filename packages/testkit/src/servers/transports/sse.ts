import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestServerOptions } from '../options.ts';
import { LegacySession } from '../protocol/legacy/session.ts';
import { parseMessage } from '../rpc.ts';
import { SharedState } from '../shared-state.ts';
import { EVENT_STREAM, type HttpTestServer, isLocal, listenAt, readBody, refuseLargeBody } from './port.ts';

interface Stream {
  readonly session: LegacySession;
  say(message: object): void;
}

/**
 * The older HTTP+SSE transport: a GET stream for what the server says, an address of its own for what it is told. It was
 * gone before the modern era: only the legacy era is spoken here.
 */
export async function serveSse(port: number, options: TestServerOptions = {}): Promise<HttpTestServer> {
  const shared = new SharedState(options);
  const streams = new Map<string, Stream>();
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!isLocal(request)) response.writeHead(403).end();
    else if (request.method === 'GET' && url.pathname === '/sse') open(shared, streams, response);
    else if (request.method === 'POST')
      void take(request, response, streams.get(url.searchParams.get('session') ?? ''));
    else response.writeHead(405).end();
  });
  const served = await listenAt(http, port, { path: '/sse', protocol: 'http' });
  return {
    url: served.url,
    async close() {
      shared.end();
      await served.close();
    },
  };
}

function open(shared: SharedState, streams: Map<string, Stream>, response: ServerResponse): void {
  const id = randomUUID();
  const say = (message: object): void => {
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  };
  const session = new LegacySession(shared, say);
  streams.set(id, { session, say });
  response.on('close', () => {
    streams.delete(id);
    session.end();
  });
  response.writeHead(200, EVENT_STREAM);
  response.write(`event: endpoint\ndata: /message?session=${id}\n\n`);
}

async function take(request: IncomingMessage, response: ServerResponse, stream: Stream | undefined): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return refuseLargeBody(response);
  const message = parseMessage(body);
  if (!stream || !message) {
    response.writeHead(stream ? 400 : 404).end();
    return;
  }
  response.writeHead(202).end();
  await stream.session.receive(message, { say: stream.say });
}
