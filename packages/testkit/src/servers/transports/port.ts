/** A server of this machine alone: it listens on 127.0.0.1, and answers nobody who came by another name. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface HttpTestServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Port 0 takes a free one. */
export async function listenAt(
  http: Server,
  port: number,
  { path, protocol }: { readonly path: string; readonly protocol: 'http' | 'ws' },
): Promise<HttpTestServer> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, '127.0.0.1', () => resolve());
  });
  const address = http.address() as { port: number };
  return {
    url: `${protocol}://127.0.0.1:${address.port}${path}`,
    close: () =>
      new Promise(resolve => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A page of another site can make a browser send requests here, under that site's name: those are not for us. */
export function isLocal({ headers: { host, origin } }: IncomingMessage): boolean {
  return isLocalUrl(`http://${host}`) && (origin === undefined || isLocalUrl(origin));
}

function isLocalUrl(text: string): boolean {
  return URL.canParse(text) && LOCAL.has(new URL(text).hostname);
}

/**
 * Loopback belongs to every user of the machine, and to pages that other programs serve there. So with a token each request
 * must bring it, and a page must be one of this very address. Undefined: the request may pass.
 */
export function refusalOf({ headers }: IncomingMessage, token: string | undefined): 401 | 403 | undefined {
  if (token === undefined) return undefined;
  const { host, origin, authorization = '' } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return 403;
  const [scheme = '', given = ''] = authorization.split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && isSame(given, token) ? undefined : 401;
}

/** Digests have one length, and comparing them takes the same time wherever they differ. */
function isSame(given: string, token: string): boolean {
  const [one, other] = [given, token].map(text => createHash('sha256').update(text).digest());
  return timingSafeEqual(one as Buffer, other as Buffer);
}

/** As the hub takes them. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Undefined where it is larger than a body may be: the rest is not read. */
export async function readBody(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += (piece as Buffer).length;
    if (bytes > maxBytes) return undefined;
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The connection is closed with it: what the client still sends is nobody's. */
export function refuseLargeBody(response: ServerResponse): void {
  response.writeHead(413, { connection: 'close' }).end(`At most ${MAX_BODY_BYTES} bytes.`);
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

export const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

/** Whether a message is the answer to a request, and not something said before it. */
export function isAnswer(message: object): boolean {
  return 'id' in message && !('method' in message);
}
