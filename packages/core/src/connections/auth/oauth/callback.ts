/**
 * Where the browser of a person comes back to with the code: a page on this machine that lives as long as one sign-in. It
 * answers to its one address and the one state that was sent out, and to nobody else.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JunctorError } from '../../../base/error.ts';
import { http } from '../../../base/network/node-http.ts';
import type { Scope } from '../../../base/scope.ts';

export interface CallbackOptions {
  /** Where it is registered to be, such as `http://localhost:8931/callback`; without a port any free one does. */
  readonly redirectUri: URL;
  /** Taken if it is free; if not, any other. */
  readonly preferredPort?: number | undefined;
  readonly state: string;
  readonly scope: Scope;
}

export interface Callback {
  readonly redirectUri: string;
  /** What came back with the right state. */
  readonly answer: Promise<URLSearchParams>;
}

export const DEFAULT_REDIRECT_URI = 'http://127.0.0.1/callback';

export async function openCallback({ redirectUri, preferredPort, state, scope }: CallbackOptions): Promise<Callback> {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = http.createServer((request, response) => {
    // Any page that the browser shows can knock here, with an address that is none.
    const url = URL.parse(request.url ?? '/', redirectUri.href);
    if (request.method !== 'GET' || url?.pathname !== redirectUri.pathname) return show(response, 404, 'Nothing here.');
    if (!isSame(url.searchParams.get('state'), state)) return show(response, 400, WRONG_STATE);
    const refused = url.searchParams.has('error');
    show(response, 200, refused ? 'The sign-in was refused. You can close this page.' : SIGNED_IN);
    resolve(url.searchParams);
  });
  scope.defer(async () => {
    server.closeAllConnections();
    await new Promise(done => server.close(done));
  });
  const port = await listen(server, redirectUri.port ? Number(redirectUri.port) : 0, preferredPort);
  const address = new URL(redirectUri);
  address.port = String(port);
  return { redirectUri: address.href, answer: promise };
}

const SIGNED_IN = 'You can close this page and go back to the program.';
const WRONG_STATE = 'This is not the answer to the sign-in that is under way. Start again from the program.';

/** A fixed port is the only one that will do; a preferred one is merely better. */
async function listen(server: Server, fixed: number, preferred?: number): Promise<number> {
  const attempt = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  if (fixed === 0) return attempt(preferred ?? 0).catch(error => (preferred ? attempt(0) : Promise.reject(error)));
  return attempt(fixed).catch(error => {
    throw new JunctorError('port_in_use', `The sign-in cannot listen on port ${fixed}.`, {
      why: (error as NodeJS.ErrnoException).code ?? String(error),
      hint: 'end what uses the port, or choose another callbackPort',
      command: 'end what uses the port, or choose another with --callback-port',
      cause: error,
    });
  });
}

/** One short page, said to a browser that has just seen a code: nothing of it is kept or sent on. */
function show(response: ServerResponse<IncomingMessage>, status: number, sentence: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'",
    connection: 'close',
  });
  response.end(`<!doctype html><html lang="en"><title>Junctor</title><p>${sentence}</p></html>\n`);
}

export function isSame(given: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
