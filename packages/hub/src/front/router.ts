/** Where a request goes: to the services, or through the door its path names, if its token opens it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorCode, isJunctorError, VERSION } from '@junctor/core';
import { http } from '@junctor/core/inside';
import type { AgentBook } from '../agents/agent-book.ts';
import type { Records } from '../calls/records.ts';
import type { Doors } from '../endpoint/doors.ts';
import { refuse } from '../endpoint/refuse.ts';
import type { Identities } from '../security/identities.ts';
import { type Identity, isRefused, type Known } from '../security/identity.ts';
import { answerLogin } from '../security/page-login.ts';
import type { PageSessions } from '../security/page-sessions.ts';
import type { Prefix } from '../security/prefix.ts';
import { type ResourceServer, WELL_KNOWN } from '../security/resource-server.ts';
import type { Bearer } from '../store/token-book.ts';
import type { Room } from '../visit/room.ts';
import { DoorBook, type FoundDoor } from './door-book.ts';
import { fingerprintsOf } from './fingerprint.ts';
import { type GuardOptions, refusalOf } from './guard.ts';
import type { Admission, Reception } from './local-pipe.ts';
import { machineView } from './machine-view.ts';
import type { PageFiles } from './page-files.ts';
import type { ErrandRunner, PipeAnswer, PipeErrand, PipeGreeting, PipeQuestion } from './pipe-words.ts';
import { isProbe, type ServicePaths } from './service-paths.ts';

export interface RouterOptions extends GuardOptions {
  /** The token of this hub's own commands. */
  readonly own: string;
  /** Where its programs start. */
  readonly cwd: string;
  readonly book: AgentBook;
  /** Where doors note their calls and sessions. */
  readonly records: Records;
  readonly identities: Identities;
  readonly pages: PageSessions;
  /** Where people sign in elsewhere. */
  readonly resourceServer: ResourceServer | undefined;
  readonly doors: Doors;
  readonly services: ServicePaths;
  readonly page: PageFiles;
  readonly prefix: Prefix;
  /** Runs commands of this machine; without it they run by themselves. */
  readonly errands: ErrandRunner | undefined;
}

export class Router {
  readonly #options: RouterOptions;
  readonly #doors: DoorBook;

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
      else
        refuse(response, statusOf(error), isJunctorError(error) ? error.message : 'The request failed inside Junctor');
    }
  }

  #route(request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const { prefix } = this.#options;
    prefix.takeFrom(request);
    const path = pathOf(request);
    const refusal = refusalOf(request, this.#options);
    if (refusal && !isProbe(path)) return refuse(response, 403, refusal);
    if (prefix.isBare(path)) return void response.writeHead(308, { location: prefix.whole(request.url ?? '') }).end();
    // Most requests are for the doors of agents, which lie nowhere else.
    return path.startsWith('/mcp/') ? this.#knock(path, request, response) : this.#find(path, request, response);
  }

  /** Services, the page and what is well known; all else is asked for at a door. */
  async #find(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { services, identities, page } = this.#options;
    const identify = (): Identity | Promise<Identity> => identities.identify(request, path);
    if (await services.answer(path, identify, request, response)) return;
    if (path === '/') return this.#front(request, response);
    if (await page.answer(path, request, response)) return;
    if (path.startsWith('/.well-known/')) return this.#wellKnown(path, request, response);
    return this.#knock(path, request, response);
  }

  /** Who is it? Here and below at once where that can be: each wait would cost every call. */
  #knock(path: string, request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const found = this.#options.identities.identify(request, path);
    if (!(found instanceof Promise)) return this.#knockAs(found, path, request, response);
    return found.then(identity => this.#knockAs(identity, path, request, response));
  }

  /** Whether the door of this path opens to them is known once their agent is. */
  #knockAs(who: Identity, path: string, request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    if (isRefused(who)) {
      for (const [name, value] of Object.entries(who.headers)) response.setHeader(name, value);
      return refuse(response, who.status, `${who.sentence} ${who.hint}`);
    }
    const unsettled = this.#doors.settle(who.bearer);
    if (!unsettled) return this.#pass(who, path, request, response);
    return unsettled.then(() => this.#pass(who, path, request, response));
  }

  #pass(
    { bearer, principal, until }: Known,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): void | Promise<void> {
    const door = this.#doors.find(path, bearer);
    if ('status' in door) return refuse(response, door.status, door.because);
    const { doors } = this.#options;
    if (door.way === 'mcp') return doors.answer(door, { principal, until }, request, response);
    if (door.way === 'sse')
      return doors.answerSse({
        path,
        prefix: this.#options.prefix.path,
        room: this.#roomAt(door, bearer),
        principal,
        until,
        request,
        response,
      });
    response.writeHead(426, { upgrade: 'websocket', connection: 'upgrade' }).end();
  }

  /** A WebSocket is asked for by a request that wants another protocol. Never throws: nobody would catch it but the process. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => {});
    await this.#upgrade(request, socket, head).catch(error => hangUp(socket, statusOf(error)));
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#options.prefix.takeFrom(request);
    const path = pathOf(request);
    if (refusalOf(request, this.#options)) return hangUp(socket, 403);
    const identity = await this.#options.identities.identify(request, path);
    if (isRefused(identity)) return hangUp(socket, identity.status);
    const { bearer, principal, until } = identity;
    await this.#doors.settle(bearer);
    const door = this.#doors.find(path, bearer);
    if ('status' in door || door.way !== 'ws') return hangUp(socket, 'status' in door ? door.status : 404);
    const visit = { path, room: this.#roomAt(door, bearer), principal, until };
    await this.#options.doors.upgrade({ ...visit, request, socket, head }).catch(() => socket.destroy());
  }

  /** What our own commands want to know before they go this way. */
  tell({ token }: PipeQuestion): PipeAnswer {
    const { own, book, cwd } = this.#options;
    if (token !== own) return refused('token_refused', 'Only the token of hub.json opens this.').answer;
    return { fingerprints: fingerprintsOf(book.common, cwd, own) };
  }

  /** Never throws: what goes wrong with an errand is part of what came of it. */
  async run({ token, view, words, surroundings }: PipeErrand, signal: AbortSignal): Promise<PipeAnswer> {
    const { own, errands } = this.#options;
    if (token !== own) return refused('token_refused', 'Only the token of hub.json opens this.').answer;
    const done = view === machineView() ? await errands?.({ words, surroundings }, signal) : undefined;
    return done ? { done } : { elsewhere: true };
  }

  /** A client on the local pipe: the same doors, the same tokens. Nobody but a program of this machine gets here. */
  admit({ door: path, token }: PipeGreeting, socket: Socket): ReturnType<Reception['admit']> {
    const identity = this.#options.identities.ofToken(token);
    if (isRefused(identity)) return refused(identity.code, identity.sentence, identity.hint);
    const enter = (): Admission => this.#enter(path, identity, socket);
    return this.#doors.settle(identity.bearer)?.then(enter) ?? enter();
  }

  #enter(path: string, { bearer, principal }: Known, socket: Socket): Admission {
    const door = this.#doors.find(path, bearer);
    if ('status' in door) return refused(door.status === 403 ? 'token_refused' : 'not_found', `${door.because}.`);
    const visit = { path, room: this.#roomAt(door, bearer), principal, socket };
    const connection = this.#options.doors.openPipe(visit);
    const guest = { receive: (text: string) => void connection.receive(text), end: () => connection.end() };
    return { answer: { open: true, version: VERSION }, guest };
  }

  /** A connection lasts: what is behind its door may be something else by the time of its next message. */
  #roomAt(first: FoundDoor, bearer: Bearer): () => Room {
    return () => {
      // What is to be behind it now may have to be opened first; until then it stays what it was.
      this.#doors.settle(bearer)?.catch(() => {});
      const door = this.#doors.find(first.path, bearer);
      return 'status' in door ? first.room : door.room;
    };
  }

  async #front(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const code = new URL(request.url ?? '/', 'http://hub').searchParams.get('code');
    if (code !== null) return answerLogin(code, this.#options.pages, response);
    if (await this.#options.page.answer('/', request, response)) return;
    plain(response, 200, 'Junctor hub. Agents connect to /mcp/<agent>.\n');
  }

  /** Clients look here for a way to sign in. Where there is none, a quick no keeps them from waiting. */
  #wellKnown(path: string, { headers: { host } }: IncomingMessage, response: ServerResponse): void {
    const { resourceServer } = this.#options;
    const asksUs = path === WELL_KNOWN || path.startsWith(`${WELL_KNOWN}/`);
    const metadata = asksUs ? resourceServer?.metadata(path, host) : undefined;
    if (!metadata) return refuse(response, 404, 'This hub has no sign-in of its own: it takes a token');
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    response.end(JSON.stringify(metadata));
  }
}

/** What the database is needed for can be asked again once it is back. */
function statusOf(error: unknown): number {
  return isJunctorError(error, 'database_failed') ? 503 : 502;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function refused(code: ErrorCode, message: string, hint?: string): Admission {
  return { answer: { error: { code, message, ...(hint === undefined ? {} : { hint }) } } };
}

function hangUp(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
