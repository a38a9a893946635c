import { createServer, type IncomingMessage } from 'node:http';
import { Connection } from '../connection.ts';
import type { TestServerOptions } from '../options.ts';
import { SharedState } from '../shared-state.ts';
import { type HttpTestServer, isLocal, listenAt } from './port.ts';

/** One JSON-RPC message per WebSocket message. */
export async function serveWs(port: number, options: TestServerOptions = {}): Promise<HttpTestServer> {
  const { WebSocketServer } = await import('ws');
  const shared = new SharedState(options);
  const http = createServer((_request, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({
    server: http,
    perMessageDeflate: false,
    verifyClient: ({ req }: { req: IncomingMessage }) => isLocal(req),
  });
  sockets.on('connection', socket => {
    const connection = new Connection(shared, message => socket.send(JSON.stringify(message)));
    socket.on('close', () => connection.end());
    socket.on('message', data => void connection.receive(String(data)));
  });
  const served = await listenAt(http, port, { path: '/', protocol: 'ws' });
  return {
    url: served.url,
    async close() {
      shared.end();
      for (const socket of sockets.clients) socket.terminate();
      await served.close();
    },
  };
}
