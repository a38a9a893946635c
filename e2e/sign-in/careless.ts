/** A server that is its own authorization server, and as careless as a test wants it. */
import { createHost, type Host, type Interaction } from '@junctor/core';
import { type Home, makeHome, trusted } from '@junctor/testkit';
import { type Exchange, type SmallHttp, smallHttp } from '../connections/small-http.ts';

export interface Careless extends AsyncDisposable {
  readonly server: SmallHttp;
  readonly home: Home;
  host(options?: object): Promise<Host>;
  /** A sign-in as it would be stored, with a token that ends so many milliseconds from now. */
  store(endsInMs: number): Promise<string>;
}

/** A server that is its own authorization server. `otherwise` sees each request first. */
export async function careless(
  otherwise: (exchange: Exchange) => true | undefined,
  metadata: (origin: string) => object = () => ({}),
  resource: (url: string) => object = () => ({}),
): Promise<Careless> {
  const home = await makeHome();
  const server = await smallHttp(exchange => {
    const { request, response, answer } = exchange;
    if (otherwise(exchange)) return true;
    const { origin, url } = server;
    const path = request.url ?? '';
    const document = (content: object): true => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
      return true;
    };
    if (path.startsWith('/.well-known/oauth-protected-resource'))
      return document({ resource: url, authorization_servers: [origin], ...resource(url) });
    if (path.startsWith('/.well-known/')) return document({ ...metadataOf(origin), ...metadata(origin) });
    if (path === '/register') return document({ client_id: 'c1', redirect_uris: [] });
    if (request.headers.authorization === 'Bearer good-token') return undefined;
    response.statusCode = 401;
    response.setHeader('www-authenticate', 'Bearer');
    return answer({});
  });
  const hosts: Host[] = [];
  return {
    server,
    home,
    async host(options = {}) {
      const config = { servers: { x: trusted({ transport: 'http', url: server.url }) } };
      const host = await createHost({ data: home.data, attempts: 1, config, ...options });
      hosts.push(host);
      return host;
    },
    store(endsInMs) {
      const { origin, url } = server;
      const tokens = { access_token: 'good-token', refresh_token: 'refresh-1', client_id: 'c1' };
      const bound = { server_url: url, issuer: origin, token_endpoint: `${origin}/token` };
      return home.write('data/mcp-auth.json', {
        version: 1,
        servers: { x: { ...tokens, ...bound, expires_at: Date.now() + endsInMs } },
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map(host => host.close()));
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

function metadataOf(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

/** A browser that is sent back with these words. */
export function sentBackWith(words: Record<string, string>): Interaction {
  return {
    async visit(url) {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      for (const [name, value] of Object.entries(words)) back.searchParams.set(name, value);
      await fetch(back);
    },
  };
}
