/** A server behind a WebSocket: one JSON-RPC message per WebSocket message, both ways. */
import WebSocket from 'ws';
import { JunctorError } from '../../base/error.ts';
import { plainText } from '../../base/text/plain-text.ts';
import { withDeadline } from '../../base/time/deadline.ts';
import type { RemoteEndpoint, ResolvedServer } from '../../resolve/roster.ts';
import type { Channel, ChannelListener } from '../rpc/channel.ts';
import { rejected, unreachable, unwritableHeader } from './http/http-target.ts';
import { MOST_UNREAD_BYTES } from './most-unread.ts';
import { proxyAgent, proxyFor } from './proxy.ts';
import type { RemoteContext } from './remote-context.ts';
import { openSigned, signed } from './signed.ts';

/** A server that does not answer our goodbye is left without it. */
const GOODBYE_MS = 1000;

export function openWs(server: ResolvedServer, endpoint: RemoteEndpoint, context: RemoteContext): Promise<Channel> {
  return openSigned(context, authorization =>
    openWith(server, endpoint.url, signed(endpoint.headers, authorization), context),
  );
}

/** The word for what is spoken here. A server need not repeat it, but our socket insists on that: then it is left out. */
const PROTOCOL = 'mcp';

async function openWith(
  server: ResolvedServer,
  url: string,
  headers: Readonly<Record<string, string>>,
  context: RemoteContext,
): Promise<Channel> {
  return openSocket(server, connect(server, url, headers, [PROTOCOL], context), context).catch(error => {
    if (!(error instanceof NamesNoProtocol)) throw error;
    return openSocket(server, connect(server, url, headers, [], context), context);
  });
}

/** It took us in, and said nothing of what is spoken. */
class NamesNoProtocol extends Error {}

async function openSocket(
  server: ResolvedServer,
  { socket, protocols }: Connecting,
  { scope, signal, keepAliveMs }: RemoteContext,
): Promise<Channel> {
  const channel = new WsChannel(server, socket, protocols.length > 0);
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

/**
 * A message above the limit is dropped alone, once it is there. Of one that is so much above it not even the pieces may be
 * held, and the socket knows no other way than to end the connection.
 */
const BORNE_ABOVE_LIMIT = 64 * 1024 * 1024;

interface Connecting {
  readonly socket: WebSocket;
  readonly protocols: readonly string[];
}

function connect(
  server: ResolvedServer,
  url: string,
  headers: Readonly<Record<string, string>>,
  protocols: string[],
  { environment }: RemoteContext,
): Connecting {
  const maxPayload = server.maxMessageBytes + BORNE_ABOVE_LIMIT;
  const proxyEnv = url.startsWith('wss:') ? proxyFor(new URL(url), environment) : undefined;
  const agent = proxyEnv && { agent: proxyAgent(new URL(url), proxyEnv) };
  const options = { headers, perMessageDeflate: false, maxPayload, ...agent };
  try {
    return { socket: new WebSocket(url, protocols, options), protocols };
  } catch (error) {
    throw unwritableHeader(server.id, error as Error);
  }
}

class WsChannel implements Channel {
  readonly opened: Promise<void>;
  readonly #server: ResolvedServer;
  readonly #socket: WebSocket;
  #listener: ChannelListener | undefined;

  constructor(server: ResolvedServer, socket: WebSocket, namesProtocol: boolean) {
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
    let tooLarge = false;
    let namesNoProtocol = false;
    socket.once('upgrade', ({ headers }) => {
      namesNoProtocol = namesProtocol && headers['sec-websocket-protocol'] === undefined;
    });
    socket.on('error', error => {
      tooLarge ||= (error as NodeJS.ErrnoException).code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      reject(namesNoProtocol ? new NamesNoProtocol() : unreachable(server.id, url, error));
    });
    socket.on('close', (code, reason) => {
      const error = tooLarge ? flooded(server) : lost(server.id, code, reason.toString());
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
    // Whoever asks and asks, and reads no answers, gets no more of them.
    if (id === undefined && this.#socket.bufferedAmount > MOST_UNREAD_BYTES) return;
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
    why: reason ? `code ${code}: ${plainText(reason, { maxChars: 200 })}` : `code ${code}`,
  });
}

function flooded({ id, maxMessageBytes }: ResolvedServer): JunctorError {
  return new JunctorError('connection_lost', `Server '${id}' sent a message far above max_message_bytes.`, {
    server: id,
    why: `more than ${maxMessageBytes + BORNE_ABOVE_LIMIT} bytes in one message end the connection`,
    hint: `ask for less, or raise max_message_bytes of server '${id}'`,
  });
}
