/**
 * Paths for people and programs, not for MCP clients: health, metrics and REST. A person's token opens them, a monitor's the
 * metrics alone.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, JunctorError } from '@junctor/core';
import { failureAnswer } from '../rest/failure.ts';
import type { RestDoor } from '../rest/lazy-rest.ts';
import { type Identity, isRefused, type Known } from '../security/identity.ts';
import type { TokenEnds } from '../security/token-ends.ts';
import { METRICS } from '../store/bearer.ts';
import { isByIssuer, type TokenMaker } from '../store/token-maker.ts';
import { OpenAnswers } from './open-answers.ts';

export interface ServicePathsOptions {
  readonly rest: RestDoor;
  /** Why the hub cannot serve at this moment; undefined: it can. */
  readonly unready: () => Promise<string | undefined>;
  readonly metrics: () => string;
  readonly ends: TokenEnds;
  /** How long tokens and logins last that are made with a token of the issuer. Default: as long as that token. */
  readonly issuerMakesForMs?: number | undefined;
}

/** A browser takes an answer for what it says it is, and hands it to no page of another origin. */
const PROTECTIVE = [
  ['x-content-type-options', 'nosniff'],
  ['cross-origin-resource-policy', 'same-origin'],
] as const;

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
    else if (path === '/metrics' || path === '/api' || path.startsWith('/api/')) {
      for (const [name, value] of PROTECTIVE) response.setHeader(name, value);
      await this.#guarded(path, await identify(), request, response);
    } else return false;
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
      const { atPage = false } = identity;
      const maker = makerOf(identity, this.#options.issuerMakesForMs);
      return this.#options.rest(request, response, {
        gone,
        caller: callerOf(identity),
        maker,
        address: request.socket.remoteAddress ?? '',
        atPage,
      });
    }
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(this.#options.metrics());
  }
}

/** Each request stands for itself: what it is granted ends with it. */
function callerOf({ bearer, principal }: Known): Caller {
  const person = bearer.kind === 'person' ? { person: { name: bearer.name } } : {};
  const kind = bearer.kind === 'hub' ? 'hub' : 'person';
  return { surface: 'rest', session: `rest-${randomUUID()}`, ...person, token: { kind, owner: principal } };
}

/** An account that ends at the issuer ends its tokens too: what they made must not stay for longer than an administrator allows. */
function makerOf({ by, bearer, until }: Known, issuerMakesForMs: number | undefined): TokenMaker {
  const name = bearer.kind === 'person' ? bearer.name : undefined;
  if (!isByIssuer(by)) return { by, name };
  return { by, name, until: issuerMakesForMs === undefined ? until : Date.now() + issuerMakesForMs };
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
  const { body } = failureAnswer(error);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
