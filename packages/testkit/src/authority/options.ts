import type { TestServerOptions } from '../servers/test-server.ts';

/** How the authority and the server it protects are built. Everything has a default that a careful client can sign in to. */
export interface AuthorityOptions {
  /** Which document tells about the authority: RFC 8414 (`oauth`), OpenID discovery (`openid`), both or none. */
  readonly metadata?: 'both' | 'oauth' | 'openid' | 'none';
  /**
   * Where the server tells who guards it (RFC 9728). `header`: only where its 401 points to. `well-known`: only at the
   * well-known path of its address, `root`: only at that of its origin; the 401 points nowhere.
   */
  readonly resourceMetadata?: 'both' | 'header' | 'well-known' | 'root' | 'none';
  /** A path that the issuer ends with, such as `/tenant`. */
  readonly issuerPath?: string;
  /** Dynamic client registration; on by default. */
  readonly registration?: boolean;
  /** Client id metadata documents by their https address. Given, the authority says that it reads such documents. */
  readonly clientDocuments?: Readonly<Record<string, object>>;
  /** RFC 8628; off by default. */
  readonly deviceFlow?: boolean;
  /** Scopes that the server knows. */
  readonly scopes?: readonly string[];
  /** What the 401 asks for, in its `scope`. */
  readonly challengeScope?: string;
  /** A tool that needs more than the others; calling it without gives a 403 that says so. */
  readonly stepUp?: { readonly tool: string; readonly scope: string };
  /** Who gets a refresh token: every client that may use one, those that ask for `offline_access`, or nobody. */
  readonly refreshTokens?: 'always' | 'offline_access' | 'never';
  /** Requests without `resource` (RFC 8707) are refused; on by default. */
  readonly resourceRequired?: boolean;
  /** As of 2025-03-26: the server itself has /authorize, /token and /register, and no protected-resource metadata. */
  readonly fallback?: boolean;
  /** Where the clients that need no registration may be sent back to; the port is free. */
  readonly redirectUris?: readonly string[];
  /** What the authority does wrong from the start. */
  readonly behaviour?: Partial<AuthorityBehaviour>;
  readonly server?: TestServerOptions;
}

/** What can change while the authority runs. */
export interface AuthorityBehaviour {
  /** RFC 9207. `missing`: promised by the metadata and not sent; `unsupported`: neither promised nor sent. */
  iss: 'right' | 'wrong' | 'missing' | 'unsupported';
  state: 'right' | 'wrong' | 'missing';
  /** Whole seconds. */
  accessTokenSeconds: number;
  /** The token endpoint answers 503 while this is set. */
  tokenEndpointDown: boolean;
  /** Awaited before the token endpoint hears a request: one whose sender hangs up meanwhile was never heard. */
  beforeTokens: () => Promise<void> | undefined;
  /** Addresses of other servers that its tokens may be made for. Such tokens are JWTs, which those servers check themselves. */
  alsoGuards: readonly string[];
}

export type CompleteOptions = Required<Omit<AuthorityOptions, 'issuerPath' | 'clientDocuments' | 'challengeScope'>> &
  Pick<AuthorityOptions, 'issuerPath' | 'clientDocuments' | 'challengeScope'>;

export const READ_SCOPE = 'tools:read';
export const ADMIN_SCOPE = 'tools:admin';

export function completeOptions(options: AuthorityOptions): CompleteOptions {
  const fallback = options.fallback ?? false;
  return {
    metadata: 'both',
    resourceMetadata: fallback ? 'none' : 'both',
    registration: true,
    deviceFlow: false,
    scopes: [READ_SCOPE, ADMIN_SCOPE],
    stepUp: { tool: 'pid', scope: ADMIN_SCOPE },
    refreshTokens: 'always',
    // Before RFC 8707 was asked for, the server was the authority: there was nothing to name.
    resourceRequired: !fallback,
    redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    behaviour: {},
    server: {},
    ...options,
    fallback,
  };
}

export function firstBehaviour(options: CompleteOptions): AuthorityBehaviour {
  return {
    iss: 'right',
    state: 'right',
    accessTokenSeconds: 3600,
    tokenEndpointDown: false,
    beforeTokens: () => undefined,
    alsoGuards: [],
    ...options.behaviour,
  };
}
