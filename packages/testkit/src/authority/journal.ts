/** What an authority and its server were asked, so that a test can compare it with what it expected. */
import type { Context, Provider } from 'oidc-provider';

export interface RequestCounts {
  /** Authorization requests of a browser, whether they led to a code or not. */
  authorizations: number;
  registrations: number;
  /** Client id metadata documents read. */
  clientDocuments: number;
  /** All requests to the token endpoint. */
  tokens: number;
  refreshes: number;
  deviceAuthorizations: number;
  /** Looks at a token that came with a request to the MCP server. */
  introspections: number;
  /** Requests to the MCP server that were answered with 401. */
  unauthorized: number;
}

export interface TokenRequest {
  readonly issuer: string;
  readonly grantType: string;
  /** Every parameter of the body as it came, verifier and secrets included. */
  readonly params: Readonly<Record<string, string>>;
  readonly clientAuth: 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
  readonly status: number;
  readonly error?: string;
  /** What `revoke` takes. */
  readonly grantId?: string;
  readonly scope?: string;
}

export interface AuthorizationRequest {
  readonly issuer: string;
  readonly params: Readonly<Record<string, string>>;
}

export class Journal {
  readonly requests: RequestCounts = {
    authorizations: 0,
    registrations: 0,
    clientDocuments: 0,
    tokens: 0,
    refreshes: 0,
    deviceAuthorizations: 0,
    introspections: 0,
    unauthorized: 0,
  };
  readonly tokenRequests: TokenRequest[] = [];
  readonly authorizationRequests: AuthorizationRequest[] = [];
  readonly registrations: object[] = [];
  /** What went wrong inside the authority: always empty, unless the rig itself is at fault. */
  readonly faults: unknown[] = [];

  /** Writes down what one provider is asked from now on. */
  follow(provider: Provider): void {
    provider.on('server_error', (_context, error) => this.faults.push(error));
    provider.on('error', error => this.faults.push(error));
    provider.use(async (context, next) => {
      // What the client sent, before anything is added to it.
      const sent = { ...context.query };
      await next();
      this.#note(provider.issuer, context, sent);
    });
  }

  #note(issuer: string, context: Context, sent: Record<string, string>): void {
    const { oidc } = context;
    switch (oidc?.route) {
      case 'authorization':
        this.requests.authorizations++;
        this.authorizationRequests.push({ issuer, params: sent });
        break;
      case 'registration':
        this.requests.registrations++;
        this.registrations.push({ ...oidc.body });
        break;
      case 'device_authorization':
        this.requests.deviceAuthorizations++;
        break;
      case 'token':
        this.requests.tokens++;
        if (oidc.body?.grant_type === 'refresh_token') this.requests.refreshes++;
        this.tokenRequests.push(tokenRequest(issuer, context));
    }
  }
}

function tokenRequest(issuer: string, { req, oidc, status, body }: Context): TokenRequest {
  const params = { ...oidc?.body };
  const { error, scope } = (body ?? {}) as { error?: string; scope?: string };
  const grantId = oidc?.entities.AccessToken?.grantId;
  return {
    issuer,
    grantType: params.grant_type ?? '',
    params,
    clientAuth: clientAuth(req.headers.authorization, params),
    status,
    ...(error && { error }),
    ...(grantId && { grantId }),
    ...(scope && { scope }),
  };
}

function clientAuth(authorization: string | undefined, params: Record<string, string>): TokenRequest['clientAuth'] {
  if (authorization) return 'client_secret_basic';
  if (params.client_assertion) return 'private_key_jwt';
  return params.client_secret ? 'client_secret_post' : 'none';
}
