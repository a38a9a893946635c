/** Stands before a server of any transport and lets through what carries a token that the authority gave out. */
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Authority } from '@junctor/testkit/authority';

export interface BearerGate extends AsyncDisposable {
  readonly url: string;
  /** How often somebody was turned away. */
  readonly refused: () => number;
}

export async function bearerGate(authority: Authority, behind: string): Promise<BearerGate> {
  const target = new URL(behind.replace(/^ws/, 'http'));
  let refused = 0;
  const metadata = (): string => `${origin}/.well-known/oauth-protected-resource`;
  const http = createServer(async (request, response) => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      response.end(JSON.stringify({ resource: origin, authorization_servers: [authority.issuer] }));
    } else if (await isGood(request)) {
      const { method, url, headers } = request;
      const onwards = ask(new URL(url ?? '/', target), { method, headers });
      request.pipe(onwards);
      onwards.on('error', () => response.destroy());
      response.on('close', () => onwards.destroy());
      onwards.on('response', answer => answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers)));
    } else {
      request.resume();
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata()}"` }).end();
    }
  });
  http.on('upgrade', async (request, socket, head) => {
    // It may be given up at any moment, also while its token is looked at.
    socket.on('error', () => socket.destroy());
    if (!(await isGood(request))) {
      socket.end(`HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer resource_metadata="${metadata()}"\r\n\r\n`);
      return;
    }
    const onwards = connect(Number(target.port), target.hostname, () => {
      const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      onwards.write(`GET ${target.pathname} HTTP/1.1\r\n${headers.join('')}\r\n`);
      onwards.write(head);
      socket.pipe(onwards).pipe(socket);
    });
    onwards.on('error', () => socket.destroy());
    socket.on('error', () => onwards.destroy());
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  async function isGood({ headers }: IncomingMessage): Promise<boolean> {
    const own = { authorization: headers.authorization ?? '', 'content-type': 'application/json' };
    const { status } = await fetch(authority.mcpUrl, { method: 'POST', body: '{}', headers: own });
    if (status === 401) refused++;
    return status !== 401;
  }

  return {
    url: `${behind.startsWith('ws') ? origin.replace('http', 'ws') : origin}${target.pathname}`,
    refused: () => refused,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => http.close(resolve).closeAllConnections());
    },
  };
}
