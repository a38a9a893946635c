/**
 * Paths for people and programs, not for MCP clients: health, metrics and REST. A person's token opens them, a monitor's the
 * metrics alone.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { JunctorError } from '@junctor/core';
import { failureAnswer } from '../rest/failure.ts';
import type { RestDoor } from '../rest/lazy-rest.ts';
import { type Identity, isRefused, type Known } from '../security/identity.ts';
import type { TokenEnds } from '../security/token-ends.ts';
import { METRICS } from '../store/bearer.ts';
import { OpenAnswers } from './open-answers.ts';

export interface ServicePathsOptions {
  readonly rest: RestDoor;
  /** Why the hub cannot serve at this moment; undefined: it can. */
  readonly unready: () => Promise<string | undefined>;
  readonly metrics: () => string;
  readonly ends: TokenEnds;
}

export class ServicePaths {
  readonly #options: ServicePathsOptions;
  readonly #answers: OpenAnswers;

  constructor(options: ServicePathsOptions) {
    this.#options = options;
    this.#answers = new OpenAnswers(options.ends);
  }

  /** False for a path that is none of these. */
  async answer(
    path: string,
    identify: () => Identity | Promise<Identity>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    if (path === '/healthz') plain(response, 200, 'ok\n');
    else if (path === '/readyz') await this.#ready(response);
    else if (path === '/metrics' || path === '/api' || path.startsWith('/api/'))
      await this.#guarded(path, await identify(), request, response);
    else return false;
    return true;
  }

  /** Ends what is being answered to them. */
  sendAway(principals: ReadonlySet<string>): void {
    this.#answers.sendAway(principals);
  }

  async #ready(response: ServerResponse): Promise<void> {
    const unready = await this.#options.unready();
    plain(response, unready === undefined ? 200 : 503, `${unready ?? 'ready'}\n`);
  }

  async #guarded(path: string, identity: Identity, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isRefused(identity) || !mayPass(identity, path, request)) return refuse(response, identity);
    if (path !== '/metrics') {
      const gone = this.#answers.open(identity, request, response);
      const { bearer } = identity;
      return this.#options.rest(request, response, { gone, who: bearer.kind === 'person' ? bearer.name : undefined });
    }
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(this.#options.metrics());
  }
}

/** Balancers and clusters look in by whatever name or number they know, and learn no more than that the hub is there. */
export function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/** Another hub on the same database reads what this one knows, and changes nothing. */
function mayPass({ bearer: { kind } }: Known, path: string, { method }: IncomingMessage): boolean {
  if (kind === METRICS) return path === '/metrics';
  return kind === 'person' || (kind === 'hub' && method === 'GET');
}

function refuse(response: ServerResponse, identity: Identity): void {
  if (!isRefused(identity)) return send(response, 403, notForThem(identity));
  for (const [name, value] of Object.entries(identity.headers)) response.setHeader(name, value);
  const { status, code, sentence, hint } = identity;
  send(response, status, new JunctorError(code, sentence, { hint }));
}

function notForThem({ bearer }: Known): JunctorError {
  const whose = bearer.kind === 'agent' ? `agent '${bearer.agent}'` : `a ${bearer.kind}`;
  const sentence =
    bearer.kind === METRICS ? 'This token opens /metrics only.' : `The token of ${whose} opens its own doors only.`;
  return new JunctorError('token_refused', sentence, { hint: 'take a person token: junctor hub token' });
}

function send(response: ServerResponse, status: number, error: JunctorError): void {
  const { body } = failureAnswer(error, text => text);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
