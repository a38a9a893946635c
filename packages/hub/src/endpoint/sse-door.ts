/**
 * The older HTTP+SSE transport: a GET stream for what the hub says, and an address of its own for what it is told. It was
 * gone before the newer era came.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Known } from '../security/identity.ts';
import { TOKEN_ENDED } from '../security/token-ends.ts';
import { asOneLine } from '../visit/reply.ts';
import type { Room } from '../visit/room.ts';
import { MOST_UNREAD } from '../visit/unread.ts';
import type { Wire } from './channel-reply.ts';
import { ClientConnection } from './client-connection.ts';
import type { DoorContext } from './door.ts';
import { refuse } from './refuse.ts';
import { EVENT_STREAM } from './stream-headers.ts';

interface OpenStream {
  readonly principal: string;
  readonly path: string;
  readonly connection: ClientConnection;
}

export interface StreamVisit {
  readonly owner: Known;
  readonly path: string;
  /** What clients put before the path, where a proxy serves the hub below one. */
  readonly prefix: string;
  readonly room: () => Room;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export class SseDoor {
  readonly #context: DoorContext;
  readonly #streams = new Map<string, OpenStream>();

  constructor(context: DoorContext) {
    this.#context = context;
  }

  async answer(visit: StreamVisit): Promise<void> {
    const { request, response } = visit;
    if (request.method === 'GET') return this.#open(visit);
    if (request.method === 'POST') return this.#take(visit);
    response.writeHead(405, { allow: 'GET, POST' }).end();
  }

  #open({ path, prefix, room, owner, response }: StreamVisit): void {
    const { principal } = owner;
    const { sessions, connections, news, keepAlive, ends, elsewhere } = this.#context;
    const id = elsewhere ? elsewhere.mark(randomUUID()) : randomUUID();
    const wire: Wire = {
      get congested() {
        return response.writableNeedDrain;
      },
      get unread() {
        return response.writableLength;
      },
      send(pieces) {
        if (response.writableLength > MOST_UNREAD) {
          response.destroy();
          return;
        }
        response.write('event: message\ndata: ');
        for (const piece of asOneLine(pieces)) response.write(piece);
        response.write('\n\n');
      },
      close: () => response.end(),
    };
    const connection = new ClientConnection({ door: path, room, owner, sessions, connections, news, wire });
    this.#streams.set(id, { principal, path, connection });
    const stop = ends.follow(owner, () => connection.hangUp(TOKEN_ENDED));
    response.on('close', () => {
      stop();
      this.#streams.delete(id);
      connection.end();
    });
    response.writeHead(200, EVENT_STREAM);
    response.write(`event: endpoint\ndata: ${prefix}${path}?session=${id}\n\n`);
    keepAlive.add(response);
  }

  async #take({ path, owner, request, response }: StreamVisit): Promise<void> {
    const id = new URL(request.url ?? '/', 'http://hub').searchParams.get('session') ?? '';
    const stream = this.#streams.get(id);
    const { bodies, elsewhere } = this.#context;
    const body = await bodies.read(request);
    if (typeof body !== 'string') return refuse(response, body.status, body.because, body.code);
    if (!stream && (await elsewhere?.takes(id, { request, response }, body))) return;
    // Whoever opened the stream speaks on it, and nobody else.
    if (stream?.principal !== owner.principal || stream.path !== path)
      return refuse(response, 404, 'There is no such stream: open one with GET, and post to the address it names');
    response.writeHead(202).end();
    await stream.connection.receive(body);
  }
}
