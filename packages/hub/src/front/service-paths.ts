/** Paths for people and programs, not for MCP clients: health, metrics and REST. A person's token opens them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { JunctorError } from '@junctor/core';
import { failureAnswer } from '../rest/failure.ts';
import type { RestDoor } from '../rest/lazy-rest.ts';
import type { Bearer } from '../store/token-book.ts';

export interface ServicePathsOptions {
  readonly rest: RestDoor;
  /** Why the hub cannot serve at this moment; undefined: it can. */
  readonly unready: () => Promise<string | undefined>;
  readonly metrics: () => string;
}

export class ServicePaths {
  readonly #options: ServicePathsOptions;

  constructor(options: ServicePathsOptions) {
    this.#options = options;
  }

  /** False for a path that is none of these. */
  async answer(
    path: string,
    bearer: () => Bearer | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    if (path === '/healthz') plain(response, 200, 'ok\n');
    else if (path === '/readyz') await this.#ready(response);
    else if (path === '/metrics' || path === '/api' || path.startsWith('/api/'))
      await this.#guarded(path, bearer(), request, response);
    else return false;
    return true;
  }

  async #ready(response: ServerResponse): Promise<void> {
    const unready = await this.#options.unready();
    plain(response, unready === undefined ? 200 : 503, `${unready ?? 'ready'}\n`);
  }

  async #guarded(
    path: string,
    bearer: Bearer | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (bearer?.kind !== 'person') return refuse(response, request, bearer);
    if (path !== '/metrics') return this.#options.rest(request, response);
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(this.#options.metrics());
  }
}

function refuse(response: ServerResponse, request: IncomingMessage, bearer: Bearer | undefined): void {
  if (!bearer) response.setHeader('www-authenticate', 'Bearer');
  const { status, body } = failureAnswer(refusalFor(request, bearer), text => text);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refusalFor(request: IncomingMessage, bearer: Bearer | undefined): JunctorError {
  if (bearer?.kind === 'agent') {
    return new JunctorError('token_refused', `The token of agent '${bearer.agent}' opens its own doors only.`, {
      hint: 'take a person token: junctor hub token',
    });
  }
  const sent = request.headers.authorization !== undefined;
  return new JunctorError('token_required', sent ? 'The hub does not know that token.' : 'The hub needs a token.', {
    hint: 'junctor hub token prints one; send it as Authorization: Bearer …',
  });
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
