/** Where a request goes: to the services, or through the door its path names, if its token opens it. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorCode, isJunctorError, VERSION } from '@junctor/core';
import type { AgentBook } from '../agents/agent-book.ts';
import type { Records } from '../calls/records.ts';
import type { Doors } from '../endpoint/doors.ts';
import { principalOf } from '../endpoint/principal.ts';
import { refuse } from '../endpoint/refuse.ts';
import type { Room } from '../endpoint/room.ts';
import type { Bearer, TokenBook } from '../store/token-book.ts';
import { DoorBook, type FoundDoor } from './door-book.ts';
import { type GuardOptions, refusalOf } from './guard.ts';
import type { PipeGreeting, Reception } from './local-pipe.ts';
import type { ServicePaths } from './service-paths.ts';

export interface RouterOptions extends GuardOptions {
  readonly book: AgentBook;
  /** Where doors note their calls and sessions. */
  readonly records: Records;
  readonly tokens: TokenBook;
  readonly doors: Doors;
  readonly services: ServicePaths;
}

export class Router {
  readonly #options: RouterOptions;
  readonly #doors: DoorBook;
  readonly #principals = new Map<string, string>();

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#doors = new DoorBook(options.book, options.doors);
  }

  /** Never throws: whatever goes wrong with one request is told to its client and to nobody else. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, isJunctorError(error) ? error.message : 'The request failed inside Junctor');
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, this.#options);
    if (refusal) return refuse(response, 403, refusal);
    const path = (request.url ?? '/').split('?', 1)[0] as string;
    const bearerOf = (): Bearer | undefined => this.#bearerOf(request);
    if (await this.#options.services.answer(path, bearerOf, request, response)) return;
    if (path === '/') return plain(response, 200, 'Junctor hub. Agents connect to /mcp/<agent>.\n');
    // Clients look here for a way to sign in. There is none to offer: a quick no keeps them from waiting.
    if (path.startsWith('/.well-known/'))
      return refuse(response, 404, 'This hub has no sign-in of its own: it takes a token');
    const bearer = this.#bearerOf(request);
    if (!bearer) {
      response.setHeader('www-authenticate', 'Bearer');
      const sent = request.headers.authorization !== undefined;
      const what = sent
        ? 'This hub does not know that token: make one with its own --data directory'
        : 'A token is needed';
      return refuse(response, 401, `${what}: junctor hub token prints one, sent as Authorization: Bearer …`);
    }
    const door = this.#doors.find(path, bearer);
    if ('status' in door) return refuse(response, door.status, door.because);
    const { doors } = this.#options;
    const approves = request.headers[APPROVED_HEADER] !== undefined;
    const principal = this.#principalOf(bearer, tokenOf(request), approves);
    if (door.way === 'mcp') return doors.answer(door, { principal }, request, response);
    if (door.way === 'sse')
      return doors.answerSse({ path, room: this.#roomAt(door, bearer), principal, request, response });
    response.writeHead(426, { upgrade: 'websocket', connection: 'upgrade' }).end();
  }

  /** A WebSocket is asked for by a request that wants another protocol. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => {});
    const path = (request.url ?? '/').split('?', 1)[0] as string;
    const bearer = refusalOf(request, this.#options) ? undefined : this.#bearerOf(request);
    const door = bearer && this.#doors.find(path, bearer);
    if (!bearer || !door) return hangUp(socket, refusalOf(request, this.#options) ? 403 : 401);
    if ('status' in door || door.way !== 'ws') return hangUp(socket, 'status' in door ? door.status : 404);
    const visit = { path, room: this.#roomAt(door, bearer), principal: this.#principalOf(bearer, tokenOf(request)) };
    await this.#options.doors.upgrade({ ...visit, request, socket, head }).catch(() => socket.destroy());
  }

  /** A client on the local pipe: the same doors, the same tokens. Nobody but a program of this machine gets here. */
  admit({ door: path, token }: PipeGreeting, socket: Socket): ReturnType<Reception['admit']> {
    const bearer = this.#options.tokens.bearerOf(token);
    if (!bearer) return refused('token_required', 'The hub does not know that token.', 'junctor hub token prints one');
    const door = this.#doors.find(path, bearer);
    if ('status' in door) return refused(door.status === 403 ? 'token_refused' : 'not_found', `${door.because}.`);
    const visit = { path, room: this.#roomAt(door, bearer), principal: this.#principalOf(bearer, token), socket };
    const connection = this.#options.doors.openPipe(visit);
    const guest = { receive: (text: string) => void connection.receive(text), end: () => connection.end() };
    return { answer: { open: true, version: VERSION }, guest };
  }

  /** A connection lasts: what is behind its door may be something else by the time of its next message. */
  #roomAt(first: FoundDoor, bearer: Bearer): () => Room {
    return () => {
      const door = this.#doors.find(first.path, bearer);
      return 'status' in door ? first.room : door.room;
    };
  }

  /** Tells the owners of tokens apart, and nothing about the tokens. */
  #principalOf(bearer: Bearer, token = '', approves = false): string {
    const key = approves ? `approves ${token}` : token;
    const known = this.#principals.get(key);
    if (known !== undefined) return known;
    const principal = principalOf(bearer, token, { approves });
    if (this.#principals.size >= MAX_PRINCIPALS) this.#principals.clear();
    this.#principals.set(key, principal);
    return principal;
  }

  #bearerOf(request: IncomingMessage): Bearer | undefined {
    const token = tokenOf(request);
    return token === undefined ? undefined : this.#options.tokens.bearerOf(token);
  }
}

function tokenOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return authorization !== undefined && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined;
}

/** Sent by our own commands with a person's token, once that person has said yes to the call at the terminal. */
const APPROVED_HEADER = 'junctor-approved';

/** So many owners of tokens are kept at hand: working one out costs as much as looking its token up. */
const MAX_PRINCIPALS = 1000;

function refused(code: ErrorCode, message: string, hint?: string): ReturnType<Reception['admit']> {
  return { answer: { error: { code, message, ...(hint === undefined ? {} : { hint }) } } };
}

function hangUp(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
