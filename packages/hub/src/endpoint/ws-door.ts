/** One JSON-RPC message per WebSocket message, both eras. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Known } from '../security/identity.ts';
import { TOKEN_ENDED } from '../security/token-ends.ts';
import type { Room } from '../visit/room.ts';
import { MOST_UNREAD } from '../visit/unread.ts';
import { MAX_REQUEST_BYTES, textIn } from './bodies.ts';
import type { Wire } from './channel-reply.ts';
import { ClientConnection } from './client-connection.ts';
import type { DoorContext } from './door.ts';

export interface SocketVisit {
  readonly owner: Known;
  readonly path: string;
  readonly room: () => Room;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** More than this unread, and news are left out for a client that does not read. */
const CONGESTED_BYTES = 64 * 1024;
const PING_MS = 25_000;
/** RFC 6455, 7.4.1: what a client is told that may not stay. */
const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
/** And one that may come again in a moment. */
const TRY_AGAIN_LATER = 1013;
/** How long a client that was sent away may take to leave by itself. */
const HEED_MS = 1000;
/** As long as the server of HTTP gives a request: whoever sends half of a large message must not keep its room for ever. */
const MESSAGE_MS = 300_000;
/** RFC 6455, 5.2: what stands before the words of a ping or pong of a client. */
const SIGN_HEAD_BYTES = 6;
const TOO_SLOW = 'A large message has to be whole within five minutes';

export class WsDoor {
  readonly #context: DoorContext;
  readonly #messageMs: number;
  #server: Promise<WebSocketServer> | undefined;

  constructor(context: DoorContext, messageMs: number = MESSAGE_MS) {
    this.#context = context;
    this.#messageMs = messageMs;
  }

  async upgrade(visit: SocketVisit): Promise<void> {
    const { request, socket, head } = visit;
    // Loaded by whoever comes first: most hubs never need it.
    this.#server ??= import('ws').then(
      ws => new ws.WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_REQUEST_BYTES }),
    );
    const server = await this.#server;
    server.handleUpgrade(request, socket, head, webSocket => {
      this.#weigh(webSocket, socket);
      this.#open(webSocket, visit);
    });
  }

  async close(): Promise<void> {
    const server = await this.#server;
    for (const client of server?.clients ?? []) client.terminate();
  }

  /** A message is told of when it is whole; how much of it is here already, its connection knows. */
  #weigh(webSocket: WebSocket, socket: Duplex): void {
    const share = this.#context.bodies.share();
    let late: NodeJS.Timeout | undefined;
    const clearLate = (): void => {
      clearTimeout(late);
      late = undefined;
    };
    const settle = (): void => {
      clearLate();
      share.settle();
    };
    const sendAway = (code: number, because: string): void => {
      webSocket.close(code, because);
      // The rest is read and forgotten: a connection that is cut takes the reason with it. What is here goes with the connection.
      socket.removeAllListeners('data').resume().end();
      setTimeout(() => webSocket.terminate(), HEED_MS).unref();
    };
    // Before the library hears of it: the last piece of a message is counted, then the message is told.
    socket.prependListener('data', (piece: Buffer) => {
      const refused = share.take(piece.length);
      if (refused) return sendAway(refused.status === 413 ? TOO_BIG : TRY_AGAIN_LATER, refused.because);
      if (share.isLarge) late ??= setTimeout(() => sendAway(POLICY_VIOLATION, TOO_SLOW), this.#messageMs).unref();
    });
    // Signs of life are no part of a message: a connection that sends nothing else for weeks has sent nothing large.
    const onSignOfLife = ({ length }: Buffer): void => {
      share.giveBack(SIGN_HEAD_BYTES + length);
      if (!share.isLarge) clearLate();
    };
    webSocket.on('ping', onSignOfLife);
    webSocket.on('pong', onSignOfLife);
    webSocket.on('message', settle);
    webSocket.on('close', settle);
  }

  #open(webSocket: WebSocket, { path, room, owner }: SocketVisit): void {
    const { sessions, connections, news, ends } = this.#context;
    const wire: Wire = {
      get congested() {
        return webSocket.bufferedAmount > CONGESTED_BYTES;
      },
      get unread() {
        return webSocket.bufferedAmount;
      },
      send(pieces) {
        if (webSocket.bufferedAmount > MOST_UNREAD) return webSocket.terminate();
        webSocket.send(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces), { binary: false });
      },
      close: reason => webSocket.close(POLICY_VIOLATION, reason),
    };
    const connection = new ClientConnection({ door: path, room, owner, sessions, connections, news, wire });
    const stop = ends.follow(owner, () => connection.hangUp(TOKEN_ENDED));
    const ping = setInterval(() => webSocket.ping(), PING_MS).unref();
    webSocket.on('message', data => void connection.receive(textIn([data as Buffer])));
    webSocket.on('error', () => {});
    webSocket.on('close', () => {
      clearInterval(ping);
      stop();
      connection.end();
    });
  }
}
