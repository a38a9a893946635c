/** An HTTP address that is talked to often: its connections are kept, its URL is taken apart once. */
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { JunctorError } from '../../base/error.ts';
import { frameText } from '../frame.ts';

export class HttpTarget {
  readonly url: URL;
  readonly #agent: Agent;
  readonly #request: typeof httpRequest;
  readonly #options: RequestOptions;

  constructor(url: string) {
    this.url = new URL(url);
    const secure = this.url.protocol === 'https:';
    this.#agent = new (secure ? SecureAgent : Agent)({ keepAlive: true });
    this.#request = secure ? httpsRequest : httpRequest;
    // Node would take the URL apart again for each request.
    this.#options = { ...urlToHttpOptions(this.url), agent: this.#agent };
  }

  open(method: string, headers: Readonly<Record<string, string | number>>, more: RequestOptions = {}): ClientRequest {
    return this.#request({ ...this.#options, ...more, method, headers: headers as never });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The status behind a refusal, for whoever has another way to try. */
export class HttpStatus extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/** Enough of an error page to recognise it by. */
const ERROR_EXCERPT_BYTES = 2000;

export function readExcerpt(response: IncomingMessage, done: (body: string) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  response.on('data', (piece: Buffer) => {
    if (bytes < ERROR_EXCERPT_BYTES) pieces.push(piece);
    bytes += piece.length;
  });
  response.on('end', () => done(frameText(pieces).slice(0, ERROR_EXCERPT_BYTES)));
}

/** A connection that broke once it stood: whether the server acted on the request is unknown. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

export function unreachable(server: string, url: URL, error: Error): JunctorError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined && BROKEN.has(code)) {
    return new JunctorError('connection_lost', `The connection to server '${server}' broke.`, {
      server,
      why: `${code}; whether it acted on the request is unknown`,
      hint: 'see whether the server restarted, then try again',
      cause: error,
    });
  }
  return new JunctorError('connection_failed', `Server '${server}' could not be reached at ${url.origin}.`, {
    server,
    why: code ?? error.message,
    hint: code === 'ECONNREFUSED' ? 'start the server, or check its url' : 'check the url and the network',
    cause: error,
  });
}

export function rejected(server: string, status: number, body: string): JunctorError {
  const why = body ? `HTTP ${status}: ${body}` : `HTTP ${status}`;
  const cause = new HttpStatus(status);
  if (status === 401) {
    return new JunctorError('auth_required', `Server '${server}' asks you to sign in.`, {
      server,
      why,
      hint: `give it a token: junctor mcp add ${server} --replace … --header "Authorization=Bearer …"`,
      cause,
    });
  }
  return new JunctorError('connection_failed', `Server '${server}' refused the request.`, {
    server,
    why,
    hint: status === 404 ? 'check the path of its url' : `see what it says with: junctor mcp tools ${server} --debug`,
    cause,
  });
}

export function closedByUs(server: string): JunctorError {
  return new JunctorError('connection_lost', `The connection to server '${server}' was closed.`, { server });
}
