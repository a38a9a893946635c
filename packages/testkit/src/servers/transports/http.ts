import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { speaks, type TestServerOptions } from '../options.ts';
import { eraOf } from '../protocol/era.ts';
import { unsupported } from '../protocol/modern/envelope.ts';
import { CODE, isNoMessage, parseMessage, RpcError } from '../rpc.ts';
import { SharedState } from '../shared-state.ts';
import { LegacyEndpoint } from './http-legacy.ts';
import { ModernEndpoint, refuse } from './http-modern.ts';
import { type HttpTestServer, isLocal, listenAt, readBody, refusalOf, refuseLargeBody } from './port.ts';

/** Serves any number of clients over Streamable HTTP, of both eras at one address. */
export async function serveHttp(port: number, options: TestServerOptions = {}): Promise<HttpTestServer> {
  const shared = new SharedState(options);
  const endpoint = new Endpoint(shared);
  const http = createServer((request, response) => {
    void endpoint.answer(request, response).catch(() => response.destroy());
  });
  const served = await listenAt(http, port, { path: '/mcp', protocol: 'http' });
  return {
    url: served.url,
    async close() {
      endpoint.end();
      await served.close();
    },
  };
}

class Endpoint {
  readonly #shared: SharedState;
  readonly #legacy: LegacyEndpoint;
  readonly #modern: ModernEndpoint;

  constructor(shared: SharedState) {
    this.#shared = shared;
    this.#legacy = new LegacyEndpoint(shared);
    this.#modern = new ModernEndpoint(shared);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocal(request)) {
      response.writeHead(403).end();
      return;
    }
    const refusal = refusalOf(request, this.#shared.options.token);
    if (refusal !== undefined) {
      response.writeHead(refusal, refusal === 401 ? { 'www-authenticate': 'Bearer' } : {}).end();
      return;
    }
    const hasSessions = speaks(this.#shared.options, 'legacy');
    if (request.method === 'POST') await this.#post(request, response);
    else if (request.method === 'GET' && hasSessions) this.#legacy.get(request, response);
    else if (request.method === 'DELETE' && hasSessions) this.#legacy.delete(request, response);
    else response.writeHead(405, { allow: hasSessions ? 'GET, POST, DELETE' : 'POST' }).end();
  }

  end(): void {
    this.#shared.end();
    this.#legacy.end();
    this.#modern.end();
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (body === undefined) return refuseLargeBody(response);
    const message = parseMessage(body);
    if (!message) return refuse(response, null, new RpcError(CODE.parseError, 'Parse error'));
    if (isNoMessage(message)) return refuse(response, message.id, new RpcError(CODE.invalidRequest, 'Invalid request'));
    const header = request.headers['mcp-protocol-version'] as string | undefined;
    const { options } = this.#shared;
    const isModern = speaks(options, 'modern') && eraOf(message, header) === 'modern';
    if (isModern) await this.#modern.post(message, request, response);
    else if (speaks(options, 'legacy')) await this.#legacy.post(message, request, response);
    else refuse(response, message.id, unsupported(String(message.params?.protocolVersion ?? header ?? 'none')));
  }
}
