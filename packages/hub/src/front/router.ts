/** Where a request goes: to the services, or through the door its path names, if its token opens it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isJunctorError } from '@junctor/core';
import { http, RPC_CODE } from '@junctor/core/internal';
import type { HubCommands } from '../commands.ts';
import type { Doors } from '../endpoint/doors.ts';
import { refuse } from '../endpoint/refuse.ts';
import type { Identities } from '../security/identities.ts';
import { type Identity, isRefused, type Known } from '../security/identity.ts';
import { answerLogin } from '../security/page-login.ts';
import type { PageSessions } from '../security/page-sessions.ts';
import type { Prefix } from '../security/prefix.ts';
import { type ResourceServer, WELL_KNOWN } from '../security/resource-server.ts';
import { type DoorBook, endpointPath } from './door-book.ts';
import { type GuardOptions, refusalOf } from './guard.ts';
import type { PageFiles } from './page-files.ts';
import { isProbe, type ServicePaths } from './service-paths.ts';

export interface RouterOptions extends GuardOptions {
  readonly identities: Identities;
  readonly pages: PageSessions;
  /** Where people sign in elsewhere. */
  readonly resourceServer: ResourceServer | undefined;
  readonly doors: Doors;
  readonly services: ServicePaths;
  readonly page: PageFiles;
  readonly prefix: Prefix;
  readonly commands: HubCommands;
  readonly doorBook: DoorBook;
}

export class Router {
  readonly #options: RouterOptions;
  readonly #doors: DoorBook;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#doors = options.doorBook;
  }

  /** Never throws: whatever goes wrong with one request is told to its client and to nobody else. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (isJunctorError(error))
        refuse(response, statusOf(error), [error.message, error.hint ?? ''].join(' ').trim());
      else refuse(response, statusOf(error), 'The request failed inside Junctor', RPC_CODE.internal);
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
    if (page.exists && isTypedAddress(path, request))
      return void response.writeHead(302, { location: `${this.#options.prefix.path}/#${path}` }).end();
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
    const unsettled = this.#doors.settle(path, who.bearer);
    if (!unsettled) return this.#pass(who, path, request, response);
    return unsettled.then(() => this.#pass(who, path, request, response));
  }

  #pass(owner: Known, path: string, request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const { bearer } = owner;
    const door = this.#doors.find(path, bearer);
    if ('status' in door) return refuse(response, door.status, door.because);
    const { doors } = this.#options;
    if (door.way === 'mcp') return doors.answer(door, owner, request, response);
    if (door.way === 'sse')
      return doors.answerSse({
        path,
        prefix: this.#options.prefix.path,
        room: this.#doors.roomAt(door, bearer),
        owner,
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
    const { bearer } = identity;
    await this.#doors.settle(path, bearer);
    const door = this.#doors.find(path, bearer);
    if ('status' in door || door.way !== 'ws') return hangUp(socket, 'status' in door ? door.status : 404);
    const visit = { path, room: this.#doors.roomAt(door, bearer), owner: identity };
    await this.#options.doors.upgrade({ ...visit, request, socket, head }).catch(() => socket.destroy());
  }

  async #front(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const code = new URL(request.url ?? '/', 'http://hub').searchParams.get('code');
    if (code !== null) return answerLogin(code, this.#options, response);
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
  if (isJunctorError(error, 'rate_limited')) return 429;
  if (isJunctorError(error, 'not_found')) return 404;
  if (isJunctorError(error, 'too_many_projects')) return 503;
  return isJunctorError(error, 'database_failed') ? 503 : 502;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return endpointPath(query < 0 ? url : url.slice(0, query));
}

function hangUp(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/** A person types an address without its `#`, or a page is reloaded that lost it. Clients of agents ask for no web page. */
function isTypedAddress(path: string, { method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.authorization !== undefined || !headers.accept?.includes('text/html')) return false;
  return /^(?:\/[\w.%+-]+)+\/?$/.test(path) && !/^\/(?:mcp|sse|ws)\/|^\/servers\/[^/]+\/(?:mcp|sse|ws)\b/.test(path);
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
