/** A server behind a WebSocket: one JSON-RPC message per WebSocket message, both ways. */
import WebSocket from 'ws';
import { withDeadline } from '../../base/deadline.ts';
import { JunctorError } from '../../base/error.ts';
import type { RemoteEndpoint, ResolvedServer } from '../../resolve/roster.ts';
import type { Channel, ChannelListener } from '../channel.ts';
import { rejected, unreachable } from './http-target.ts';
import type { RemoteContext } from './remote-context.ts';
import { openSigned, signed } from './signed.ts';

/** A server that does not answer our goodbye is left without it. */
const GOODBYE_MS = 1000;

export function openWs(server: ResolvedServer, endpoint: RemoteEndpoint, context: RemoteContext): Promise<Channel> {
  return openSigned(context.credentials, authorization =>
    openWith(server, endpoint.url, signed(endpoint.headers, authorization), context),
  );
}

async function openWith(
  server: ResolvedServer,
  url: string,
  headers: Readonly<Record<string, string>>,
  { scope, signal, keepAliveMs }: RemoteContext,
): Promise<Channel> {
  const socket = new WebSocket(url, 'mcp', {
    headers,
    perMessageDeflate: false,
    // The socket would end the connection over a large message; we drop that message alone.
    maxPayload: 0,
  });
  const channel = new WsChannel(server, socket);
  scope.defer(() => channel.close());
  // Proxies on the way end a connection on which nothing moves.
  const keepAlive = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, keepAliveMs).unref();
  scope.defer(() => clearInterval(keepAlive));
  await withDeadline(channel.opened, {
    signal,
    ms: server.timeouts.connectMs,
    error: () =>
      new JunctorError('timeout', `Server '${server.id}' opened no WebSocket within ${server.timeouts.connectMs} ms.`, {
        server: server.id,
      }),
  });
  return channel;
}

class WsChannel implements Channel {
  readonly opened: Promise<void>;
  readonly #server: ResolvedServer;
  readonly #socket: WebSocket;
  #listener: ChannelListener | undefined;

  constructor(server: ResolvedServer, socket: WebSocket) {
    this.#server = server;
    this.#socket = socket;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.opened = promise;
    promise.catch(() => {});
    const url = new URL(socket.url);
    socket.once('open', () => {
      // Until somebody listens, what the server says waits in the socket.
      socket.pause();
      resolve();
    });
    socket.once('unexpected-response', (_request, response) => {
      reject(rejected(server.id, response.statusCode ?? 0, '', response.headers['www-authenticate']));
      socket.terminate();
    });
    socket.on('error', error => reject(unreachable(server.id, url, error)));
    socket.on('close', (code, reason) => {
      const error = lost(server.id, code, reason.toString());
      reject(error);
      this.#listener?.onClosed(error);
    });
  }

  listen(listener: ChannelListener): void {
    this.#listener = listener;
    this.#socket.on('message', (data: Buffer | Buffer[]) => {
      const frame = Array.isArray(data) ? data : [data];
      const bytes = frame.reduce((sum, piece) => sum + piece.length, 0);
      if (bytes > this.#server.maxMessageBytes) listener.onOversized(frame, bytes);
      else if (bytes > 0) listener.onFrame(frame);
    });
    this.#socket.resume();
  }

  send(text: string, id?: number): void {
    this.#socket.send(text, error => {
      if (error && id !== undefined) this.#listener?.onRefused(id, lost(this.#server.id, 1006, error.message));
    });
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    this.#socket.once('close', () => resolve());
    this.#socket.close(1000);
    const impatience = setTimeout(() => this.#socket.terminate(), GOODBYE_MS);
    await promise;
    clearTimeout(impatience);
  }
}

function lost(server: string, code: number, reason: string): JunctorError {
  return new JunctorError('connection_lost', `The WebSocket of server '${server}' was closed.`, {
    server,
    why: reason ? `code ${code}: ${reason}` : `code ${code}`,
  });
}
