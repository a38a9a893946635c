/**
 * Where a server sends us. Our requests carry headers meant for the server that the config names, a token among them: they
 * are followed to another path of the same origin and to no other origin.
 */
import type { IncomingMessage } from 'node:http';
import { JunctorError } from '../../../base/error.ts';
import { HttpStatus } from './http-target.ts';

export interface Asked {
  readonly server: string;
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  /** How often this request was sent elsewhere already. */
  readonly hops: number;
}

const MAX_HOPS = 3;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** After these the same request is sent again; the others would turn a POST into a GET. */
const KEEPS_METHOD = new Set([307, 308]);

/** Undefined for an answer that is no redirect; a URL where it is followed; an error where it is not. */
export function redirectOf(response: IncomingMessage, asked: Asked): URL | JunctorError | undefined {
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, asked.url.href)) return undefined;
  const target = new URL(location, asked.url);
  if (target.origin !== asked.url.origin) return otherOrigin(asked, target, status);
  if (asked.hops >= MAX_HOPS) return inCircles(asked, target, status);
  if (asked.method === 'POST' && !KEEPS_METHOD.has(status)) return movedTo(asked, target, status);
  return target;
}

/** The same for a transport that follows none: the error says where to go. */
export function redirectError(
  response: IncomingMessage,
  asked: Pick<Asked, 'server' | 'url'>,
): JunctorError | undefined {
  const found = redirectOf(response, { ...asked, method: 'GET', hops: 0 });
  return found instanceof URL ? movedTo(asked, found, response.statusCode ?? 0) : found;
}

function otherOrigin({ server, url }: Asked, target: URL, status: number): JunctorError {
  return new JunctorError('connection_failed', `Server '${server}' sends us from ${url.origin} to ${target.origin}.`, {
    server,
    why: `HTTP ${status}; what is meant for one origin is not sent to another`,
    hint: `if that is right, set its url to ${target.origin}${target.pathname}`,
    cause: new HttpStatus(status),
  });
}

function inCircles({ server }: Asked, target: URL, status: number): JunctorError {
  return new JunctorError('connection_failed', `Server '${server}' redirects in a circle.`, {
    server,
    why: `HTTP ${status} to ${target.pathname}, after ${MAX_HOPS} others`,
    hint: 'check the path of its url',
    cause: new HttpStatus(status),
  });
}

function movedTo({ server, url }: Pick<Asked, 'server' | 'url'>, target: URL, status: number): JunctorError {
  return new JunctorError('connection_failed', `Server '${server}' has moved to ${target.pathname}.`, {
    server,
    why: `HTTP ${status} on ${url.pathname}`,
    hint: `set its url to ${target.origin}${target.pathname}`,
    cause: new HttpStatus(status),
  });
}
