/** An HTTP address that is talked to often: its connections are kept, its URL is taken apart once. */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { JunctorError } from '../../../base/error.ts';
import { http } from '../../../base/network/node-http.ts';
import type { Challenge } from '../../auth/credentials.ts';
import { frameText } from '../../rpc/frame.ts';
import { seeMore } from '../../rpc/see-more.ts';
import { proxyFor } from '../proxy.ts';
import type { RemoteContext } from '../remote-context.ts';
import { headerList } from './header-list.ts';
import { describeBody } from './web-page.ts';

export class HttpTarget {
  readonly #server: string;
  #url: URL;
  readonly #agent: Agent;
  readonly #request: typeof http.request;
  readonly #watch: RemoteContext['watch'];
  #options: RequestOptions;
  /** Where Node looks into them, for the name that TLS asks for or to add a password, it needs a table. */
  readonly #listsHeaders: boolean;
  #usedAt = Date.now();

  constructor(server: string, url: string, context: Pick<RemoteContext, 'keepAliveMs' | 'watch' | 'environment'>) {
    const { keepAliveMs, watch, environment } = context;
    this.#server = server;
    this.#watch = watch;
    this.#url = new URL(url);
    const secure = this.#url.protocol === 'https:';
    const proxyEnv = proxyFor(this.#url, environment);
    this.#agent = new (secure ? SecureAgent : http.Agent)({
      keepAlive: true,
      keepAliveMsecs: keepAliveMs,
      ...(proxyEnv && { proxyEnv }),
    });
    this.#request = secure ? httpsRequest : http.request;
    // All its connections lead to one place: Node would spell that out anew for each request. A name there has to be, for
    // without one a new connection would not resume the TLS session of those before it.
    this.#agent.getName = () => server;
    // Taken apart once, and only what is needed: Node copies all of it several times for each request.
    const { hostname, port, path, auth } = urlToHttpOptions(this.#url);
    this.#options = { hostname, port, path, agent: this.#agent, ...(auth === undefined ? {} : { auth }) };
    this.#listsHeaders = !secure && auth === undefined && !proxyEnv;
  }

  get url(): URL {
    return this.#url;
  }

  /** From now on another path of the same origin, where the server has sent us. */
  goTo(url: URL): void {
    this.#url = url;
    this.#options = { ...this.#options, path: `${url.pathname}${url.search}` };
  }

  /** Throws a JunctorError where a header cannot be written: what is in them may come from anywhere. */
  open(method: string, headers: Readonly<Record<string, string | number>>, more: RequestOptions = {}): ClientRequest {
    const now = Date.now();
    if (now - this.#usedAt > RESTED_TOO_LONG_MS) this.dropRested();
    this.#usedAt = now;
    let request: ClientRequest;
    try {
      const written = this.#listsHeaders ? headerList(this.#url.host, headers) : headers;
      request = this.#request({ ...this.#options, ...more, method, headers: written as never });
    } catch (error) {
      throw unwritableHeader(this.#server, error as Error);
    }
    this.#watch?.(request, headers);
    return request;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Where one of the connections that are kept was no longer good, the others may be no better. */
  dropRested(): void {
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}

/**
 * A server in use is asked for a life sign more often than this. Where nothing was sent for so long, by the clock on the wall, the
 * machine has slept: its connections may be gone without a word, and what is sent over them is lost.
 */
const RESTED_TOO_LONG_MS = 60_000;

/** The status behind a refusal, for whoever has another way to try. */
export class HttpStatus extends Error {
  readonly status: number;
  readonly #wwwAuthenticate: string | undefined;

  constructor(status: number, wwwAuthenticate?: string) {
    super(`HTTP ${status}`);
    this.status = status;
    this.#wwwAuthenticate = wwwAuthenticate;
  }

  /** Undefined where the server did not ask for other credentials. */
  asChallenge(sent: string | undefined, attempt: number): Challenge | undefined {
    const { status } = this;
    if (status !== 401 && status !== 403) return undefined;
    return { status, wwwAuthenticate: this.#wwwAuthenticate, sent, attempt };
  }
}

/** Enough of an error to read it, where it is one of ours. */
const ERROR_EXCERPT_BYTES = 64 * 1024;
/** The status says already what counts: its reasons are not waited for longer than this. */
const ERROR_EXCERPT_MS = 2000;

/** As much of a body as has come when it is over, breaks off, or takes too long. */
export function readExcerpt(response: IncomingMessage, done: (body: string) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const finish = (): void => {
    clearTimeout(impatience);
    response.off('close', finish);
    // The rest may never end.
    response.destroy();
    done(frameText(pieces).slice(0, ERROR_EXCERPT_BYTES));
  };
  const impatience = setTimeout(finish, ERROR_EXCERPT_MS);
  response.on('error', () => {});
  response.on('close', finish);
  response.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= ERROR_EXCERPT_BYTES) finish();
  });
}

/** What it says does not matter: its connection is used again, unless it never ends. */
export function letGo(response: IncomingMessage, onGone: () => void = () => {}): void {
  readExcerpt(response, onGone);
}

/** Nothing was sent. What Node says names the header, and never its value. */
export function unwritableHeader(server: string, error: Error): JunctorError {
  return new JunctorError('config_invalid', `A header for server '${server}' cannot be sent.`, {
    server,
    why: error.message,
    hint: 'often it is a line break at the end of a token: look at its headers, the variables in them, or its auth provider',
    cause: error,
  });
}

/** No connection ever stood: the request cannot have arrived. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** A connection that broke once it stood: whether the server acted on the request is unknown. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

export function unreachable(server: string, url: URL, error: Error): JunctorError {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (BROKEN.has(code ?? '') || syscall === 'read' || syscall === 'write') {
    return new JunctorError('connection_lost', `The connection to server '${server}' broke.`, {
      server,
      why: `${code ?? error.message}; whether it acted on the request is unknown`,
      hint: 'see whether the server restarted, then try again',
      cause: error,
    });
  }
  if (code?.startsWith('HPE_')) return notHttp(server, url, code, error);
  return new JunctorError('connection_failed', `Server '${server}' could not be reached at ${url.origin}.`, {
    server,
    why: code ?? error.message,
    hint: code === 'ECONNREFUSED' ? 'start the server, or check its url' : 'check the url and the network',
    cause: error,
    unsent: code !== undefined && NEVER_CONNECTED.has(code),
  });
}

/** Somebody is there, got the request and answered: only what it says is no HTTP. */
function notHttp(server: string, url: URL, code: string, cause: Error): JunctorError {
  return new JunctorError('malformed_response', `Server '${server}' answered something that is not HTTP.`, {
    server,
    why: `${code} at ${url.origin}`,
    hint: 'check the host and the port of its url, and whether it begins with http: or https:',
    cause,
  });
}

export function rejected(server: string, status: number, body: string, wwwAuthenticate?: string): JunctorError {
  const why = body ? `HTTP ${status}: ${describeBody(body)}` : `HTTP ${status}`;
  const cause = new HttpStatus(status, wwwAuthenticate);
  if (status === 401) {
    return new JunctorError('connection_failed', `Server '${server}' refused the request: it wants credentials.`, {
      server,
      why,
      hint: `set headers.Authorization of server '${server}', such as "Bearer …"`,
      cause,
    });
  }
  return new JunctorError('connection_failed', `Server '${server}' refused the request.`, {
    server,
    why,
    ...(status === 404 ? { hint: 'check the path of its url' } : seeMore(server)),
    cause,
  });
}
