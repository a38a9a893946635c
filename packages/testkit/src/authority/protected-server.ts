/** The MCP server behind the authority: nothing passes without a token that was issued for it. */
import { request as ask, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Issuer, TokenFacts } from './issuer.ts';
import type { Journal } from './journal.ts';
import { readBody } from './listening.ts';
import { type CompleteOptions, READ_SCOPE } from './options.ts';

export const MCP_PATH = '/mcp';
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** Nobody guesses this path: who reads the metadata there was pointed to it. */
const POINTED_TO = '/about/who-guards-this';

export interface ProtectedServerParts {
  readonly options: CompleteOptions;
  readonly journal: Journal;
  /** The server that does the work. */
  readonly behind: string;
  /** Its own address, as clients know it. */
  readonly address: () => string;
  /** Who guards it now. */
  readonly issuer: () => Issuer;
}

export function protectedServer(parts: ProtectedServerParts): RequestListener {
  return (request, response) => {
    void answer(request, response, parts).catch(error => {
      parts.journal.faults.push(error);
      response.destroy();
    });
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: ProtectedServerParts): Promise<void> {
  const path = new URL(request.url ?? '/', parts.address()).pathname;
  if (path === metadataPath(parts.options)) return sendMetadata(response, parts);
  if (path !== MCP_PATH) {
    if (parts.options.fallback) return parts.issuer().listener(request, response);
    response.writeHead(404).end();
    return;
  }
  const body = await readBody(request);
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const facts = token === undefined ? undefined : await parts.issuer().look(token);
  if (!facts?.audience.includes(parts.address())) {
    parts.journal.requests.unauthorized++;
    return refuse(response, 401, { ...(token && { error: 'invalid_token' }), ...wanted(parts) }, parts);
  }
  const { stepUp } = parts.options;
  if (lacksScope(body, facts, stepUp)) {
    return refuse(response, 403, { error: 'insufficient_scope', scope: stepUp.scope }, parts);
  }
  forward(request, body, response, parts);
}

function metadataPath({ resourceMetadata }: CompleteOptions): string | undefined {
  switch (resourceMetadata) {
    case 'both':
    case 'well-known':
      return `${WELL_KNOWN}${MCP_PATH}`;
    case 'root':
      return WELL_KNOWN;
    case 'header':
      return POINTED_TO;
    case 'none':
      return undefined;
  }
}

function sendMetadata(response: ServerResponse, { address, issuer }: ProtectedServerParts): void {
  const document = {
    resource: address(),
    authorization_servers: [issuer().url],
    scopes_supported: [READ_SCOPE],
    bearer_methods_supported: ['header'],
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

function wanted({ options }: ProtectedServerParts): Record<string, string> {
  return options.challengeScope ? { scope: options.challengeScope } : {};
}

function refuse(
  response: ServerResponse,
  status: 401 | 403,
  parameters: Record<string, string>,
  { options, address }: ProtectedServerParts,
): void {
  const points = options.resourceMetadata === 'both' || options.resourceMetadata === 'header';
  const all = {
    ...parameters,
    ...(points && { resource_metadata: new URL(metadataPath(options) ?? '', address()).href }),
  };
  const challenge = [
    'Bearer',
    Object.entries(all)
      .map(([name, value]) => `${name}="${value}"`)
      .join(', '),
  ].join(' ');
  response.writeHead(status, { 'www-authenticate': challenge.trim(), 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: parameters.error ?? 'unauthorized' }));
}

function lacksScope(body: string, { scopes }: TokenFacts, { tool, scope }: CompleteOptions['stepUp']): boolean {
  if (!body.includes(tool) || scopes.has(scope)) return false;
  const { method, params } = JSON.parse(body) as { method?: string; params?: { name?: string } };
  return method === 'tools/call' && params?.name === tool;
}

function forward(
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
  { behind }: ProtectedServerParts,
): void {
  const { authorization: _, host: __, ...headers } = request.headers;
  const passed = ask(behind, { method: request.method, headers, agent: false }, answered => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
    answered.on('error', () => response.destroy());
  });
  passed.on('error', () => response.destroy());
  response.on('close', () => passed.destroy());
  passed.end(body);
}
