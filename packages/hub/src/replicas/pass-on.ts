/** Hands a request over to another hub as it came, and its answer back as it comes. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { requestTo } from './request-to.ts';

export interface PassedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What was read of it already. */
  readonly body: string | undefined;
  /** Aborted when that hub is gone: one that stands still would keep the client waiting for ever. */
  readonly signal: AbortSignal;
}

/** A hub of the same team that takes longer to accept a connection is not there. */
const CONNECT_MS = 2000;

/** Says that a request came by way of another hub: it is not passed on again. */
const PASSED = 'junctor-passed-on';

export function wasPassedOn({ headers }: IncomingMessage): boolean {
  return headers[PASSED] !== undefined;
}

/** False where the hub cannot be reached: nothing was sent then, and nothing answered. */
export function passOn(url: string, { request, response, body, signal }: PassedRequest): Promise<boolean> {
  return new Promise(resolve => {
    let reached = false;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const headers = { ...endToEnd(request.headers), ...length, [PASSED]: '1' };
    const outgoing = requestTo(url, request.url as string, { method: request.method, headers, agent: false, signal });
    const timer = setTimeout(() => outgoing.destroy(), CONNECT_MS);
    outgoing.on('socket', socket =>
      socket.once('connect', () => {
        clearTimeout(timer);
        reached = true;
      }),
    );
    response.once('close', () => outgoing.destroy());
    outgoing.on('response', incoming => {
      response.writeHead(incoming.statusCode ?? 502, endToEnd(incoming.headers));
      response.flushHeaders();
      incoming.pipe(response);
      incoming.on('error', () => response.destroy());
      resolve(true);
    });
    outgoing.on('error', () => {
      clearTimeout(timer);
      // Once it was sent, nobody knows what became of it: it is not sent again.
      if (reached) response.destroy();
      resolve(reached);
    });
    outgoing.end(body);
  });
}

const OF_ONE_CONNECTION = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'upgrade',
]);

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_CONNECTION.has(name)));
}
