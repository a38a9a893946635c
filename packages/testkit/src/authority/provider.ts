/** The authorization server itself: `oidc-provider`, set up for one protected MCP server. */
import { generateKeyPairSync } from 'node:crypto';
import { errors, Provider } from 'oidc-provider';
import type { Journal } from './journal.ts';
import { type KnownClients, registeredClients } from './known-clients.ts';
import type { AuthorityBehaviour, CompleteOptions } from './options.ts';
import type { Store } from './store.ts';

export interface ProviderParts {
  readonly issuer: string;
  /** The address of the protected server, which is also the audience of its tokens. */
  readonly resource: string;
  readonly options: CompleteOptions;
  readonly behaviour: AuthorityBehaviour;
  readonly clients: KnownClients;
  readonly store: Store;
  readonly journal: Journal;
}

const DAY_SECONDS = 24 * 60 * 60;

export function makeProvider(parts: ProviderParts): Provider {
  const { options, behaviour, store, clients } = parts;
  return new Provider(parts.issuer, {
    adapter: store.adapter,
    jwks: { keys: [signingKey()] },
    clients: registeredClients(clients, options),
    clientDefaults: { id_token_signed_response_alg: 'ES256', grant_types: ['authorization_code'] },
    // An expired token is expired at once: tests set lifetimes of a second.
    clockTolerance: 0,
    cookies: { keys: ['a key that only tests use'] },
    scopes: ['openid', 'offline_access', ...options.scopes],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    routes: {
      authorization: '/authorize',
      token: '/token',
      registration: '/register',
      device_authorization: '/device_authorization',
    },
    pkce: { required: () => true },
    // A client that named its scopes when it registered may ask for more later; the provider would hold it to them.
    extraClientMetadata: {
      properties: ['anything'],
      validator: (_context: unknown, _key: string, _value: unknown, metadata: { scope?: string }) => {
        delete metadata.scope;
      },
    },
    features: features(parts),
    fetch: (url: URL | string) => readClientDocument(String(url), parts),
    interactions: {
      url: (_context: unknown, interaction: { uid: string }) => path(parts, `/interaction/${interaction.uid}`),
    },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    expiresWithSession: async () => false,
    issueRefreshToken: async (_context: unknown, client: Client, { scopes }: { scopes: Set<string> }) =>
      client.grantTypeAllowed('refresh_token') && mayRefresh(options, scopes),
    // A refresh token is good for one refresh; presenting it again ends everything that came from the grant.
    rotateRefreshToken: true,
    clientBasedCORS: () => false,
    renderError: async (context: { body: unknown }, problem: object) => {
      context.body = `<!doctype html><title>refused</title><pre>${JSON.stringify(problem)}</pre>`;
    },
    ttl: {
      AccessToken: () => behaviour.accessTokenSeconds,
      ClientCredentials: () => behaviour.accessTokenSeconds,
      AuthorizationCode: 60,
      DeviceCode: 600,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: DAY_SECONDS,
      Session: DAY_SECONDS,
      Grant: DAY_SECONDS,
    },
  });
}

interface Client {
  grantTypeAllowed(type: string): boolean;
}

function features(parts: ProviderParts): object {
  const { options } = parts;
  const page =
    (text: string) => async (context: { body: unknown }, form?: unknown, _out?: unknown, refused?: Error) => {
      if (refused) context.body = `<!doctype html><title>refused</title><p>${refused.name}</p>`;
      else context.body = `<!doctype html><title>${text}</title>${typeof form === 'string' ? form : ''}<p>${text}</p>`;
    };
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    registration: { enabled: options.registration },
    revocation: { enabled: true, allowedPolicy: async () => true },
    clientIdMetadataDocument: { enabled: options.clientDocuments !== undefined, ack: 'draft-02' },
    deviceFlow: {
      enabled: options.deviceFlow,
      userCodeInputSource: page('Enter the code'),
      userCodeConfirmSource: (context: { body: unknown }, form: string) => page('Is this the code?')(context, form),
      successSource: page('The device is signed in'),
    },
    resourceIndicators: resourceIndicators(parts),
  };
}

interface Asking {
  readonly oidc: { readonly params: { readonly resource?: string } };
}

/** RFC 8707. Left to itself, the provider falls back to what was granted before; a strict authority wants it said each time. */
function resourceIndicators({ resource, options, behaviour }: ProviderParts): object {
  const missing = (): never => {
    throw new errors.InvalidTarget('resource is missing');
  };
  return {
    enabled: true,
    defaultResource: async (_context: unknown, _client: unknown, oneOf?: string[]) =>
      oneOf ?? (options.resourceRequired ? missing() : resource),
    useGrantedResource: async () => !options.resourceRequired,
    async getResourceServerInfo({ oidc }: Asking, asked: string) {
      if (options.resourceRequired && !oidc.params.resource) missing();
      const info = { scope: options.scopes.join(' '), accessTokenTTL: behaviour.accessTokenSeconds };
      if (behaviour.alsoGuards.includes(asked))
        return { ...info, audience: asked, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } };
      if (asked !== resource) throw new errors.InvalidTarget(`this authority guards ${resource}, not ${asked}`);
      return { ...info, audience: resource, accessTokenFormat: 'opaque' };
    },
  };
}

function mayRefresh({ refreshTokens }: CompleteOptions, scopes: Set<string>): boolean {
  if (refreshTokens === 'offline_access') return scopes.has('offline_access');
  return refreshTokens === 'always';
}

function path({ issuer }: ProviderParts, below: string): string {
  return `${new URL(issuer).pathname.replace(/\/$/, '')}${below}`;
}

/** Such documents lie on the open internet under https. The authority of a test reads those it was given. */
async function readClientDocument(url: string, { options, journal }: ProviderParts): Promise<Response> {
  const document = options.clientDocuments?.[url];
  if (!document) return new Response('no such document', { status: 404 });
  journal.requests.clientDocuments++;
  return Response.json(document);
}

function signingKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
}
