/** A client that is not ours, the MCP SDK, at the hands of somebody who uses the browser of the authority. */
import { randomUUID } from 'node:crypto';
import {
  auth,
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Authority, VisitOptions } from './index.ts';

/** Nothing listens here: the address that the browser is sent back to is looked at, and that is all. */
const CALLBACK = 'http://127.0.0.1:61234/callback';

export class SdkPerson implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'a client of the tests',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  clientMetadataUrl?: string;
  client: StoredOAuthClientInformation | undefined;
  stored: StoredOAuthTokens | undefined;
  answered: URLSearchParams | undefined;
  sentState: string | undefined;
  readonly #authority: Authority;
  readonly #visit: VisitOptions;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  constructor(authority: Authority, visit: VisitOptions = {}) {
    this.#authority = authority;
    this.#visit = visit;
  }

  state = (): string => {
    this.sentState = randomUUID();
    return this.sentState;
  };
  clientInformation = (): StoredOAuthClientInformation | undefined => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation): void => {
    this.client = client;
  };
  tokens = (): StoredOAuthTokens | undefined => this.stored;
  saveTokens = (tokens: StoredOAuthTokens): void => {
    this.stored = tokens;
  };
  invalidateCredentials = (): void => {
    this.stored = undefined;
  };
  discoveryState = (): OAuthDiscoveryState | undefined => this.#discovery;
  saveDiscoveryState = (state: OAuthDiscoveryState): void => {
    this.#discovery = state;
  };
  codeVerifier = (): string => this.#verifier;
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier;
  };
  redirectToAuthorization = async (url: URL): Promise<void> => {
    const { url: back } = await this.#authority.browser.visit(url, { ...this.#visit, follow: false });
    this.answered = new URL(back).searchParams;
  };

  async signIn(scope?: string): Promise<void> {
    const options = { serverUrl: this.#authority.mcpUrl, ...(scope && { scope }) };
    if ((await auth(this, options)) === 'AUTHORIZED') return;
    const iss = this.answered?.get('iss');
    const authorizationCode = this.answered?.get('code') ?? '';
    await auth(this, { ...options, authorizationCode, ...(iss && { iss }) });
  }

  /** Calls a tool as the person, signing in again where the server asks for it. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<unknown> {
    return callAs(this.#authority, this, name, args);
  }
}

/** Connects, calls one tool and leaves. */
export async function callAs(
  authority: Authority,
  authProvider: OAuthClientProvider,
  name: string,
  args: Record<string, unknown>,
): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(authority.mcpUrl), { authProvider }));
  try {
    const { content } = await client.callTool({ name, arguments: args });
    return (content as { text: string }[])[0]?.text;
  } finally {
    await client.close();
  }
}
