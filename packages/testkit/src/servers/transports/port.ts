/** A server of this machine alone: it listens on 127.0.0.1, and answers nobody who came by another name. */
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

export async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
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
