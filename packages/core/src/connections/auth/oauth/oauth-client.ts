/** Whom we are to an authorization server: a client of the config, of a document, of an earlier sign-in, or a new one. */
import type { OAuthClientInformationMixed, OAuthClientMetadata } from '@modelcontextprotocol/client';
import { isLoopback } from '../../../base/network/loopback.ts';
import type { OAuthDef } from '../../../config/schema/server-schema.ts';
import { signInFailed, translated } from '../failures.ts';
import { fetchWithin } from '../reach.ts';
import { sameIssuer, type TokenEntry } from '../tokens/token-entry.ts';
import type { Authority, GuardedServer } from './authority.ts';
import { mendClient, mending } from './careless-answers.ts';
import { loadSdk } from './sdk.ts';

export interface OAuthClient {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
  readonly token_endpoint_auth_method?: string | undefined;
  /** Signs in place of a secret. */
  readonly private_key?: string | undefined;
  /** Seconds since the epoch; 0 for never. */
  readonly client_secret_expires_at?: number | undefined;
  /** Set where it was registered by us: it is kept with the tokens. */
  readonly registered?: true;
}

export interface ClientNeeds {
  readonly redirectUri?: string;
  readonly scope: string | undefined;
  /** What an earlier sign-in left. */
  readonly stored: TokenEntry | undefined;
  readonly clientMetadataUrl: string | undefined;
  readonly grantTypes: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

const CLIENT_NAME = 'Junctor';

export async function chooseClient(server: GuardedServer, at: Authority, needs: ClientNeeds): Promise<OAuthClient> {
  return (
    trustedClient(server, at, needs.stored) ??
    documentedClient(at, server.oauth.client_metadata_url ?? needs.clientMetadataUrl) ??
    storedClient(at, needs.stored, needs.redirectUri) ??
    (await register(server, at, needs))
  );
}

export function configuredClient(oauth: OAuthDef): OAuthClient | undefined {
  const { client_id, client_secret, private_key, token_endpoint_auth_method } = oauth;
  return client_id === undefined ? undefined : { client_id, client_secret, private_key, token_endpoint_auth_method };
}

/** A secret of the config goes to the authorization server that had it first, not to whomever the server names today. */
export function trustedClient(
  server: GuardedServer,
  { issuer }: Authority,
  stored?: TokenEntry,
): OAuthClient | undefined {
  const client = configuredClient(server.oauth);
  if (!client?.client_secret && !client?.private_key) return client;
  if (server.oauth.issuer !== undefined || server.oauth.token_url !== undefined) return client;
  if (stored?.issuer === undefined || sameIssuer(stored.issuer, issuer)) return client;
  throw signInFailed(
    server.id,
    `it named the authorization server ${stored.issuer} before, and now names ${issuer}`,
    `if it has really moved, set oauth.issuer of this server to "${issuer}"`,
  );
}

/** The client that got the tokens of an entry: only it can renew them. */
export function clientOf(entry: TokenEntry, oauth: OAuthDef): OAuthClient | undefined {
  const configured = configuredClient(oauth);
  const { client_id, client_secret, token_endpoint_auth_method } = entry;
  if (configured && (client_id === undefined || client_id === configured.client_id)) return configured;
  return client_id === undefined ? undefined : { client_id, client_secret, token_endpoint_auth_method };
}

function documentedClient({ metadata }: Authority, url: string | undefined): OAuthClient | undefined {
  if (url === undefined || metadata?.client_id_metadata_document_supported !== true) return undefined;
  return { client_id: url, token_endpoint_auth_method: 'none' };
}

/** A client is known at one authorization server, and may be sent back to the address it was registered with. */
function storedClient(
  { issuer }: Authority,
  stored: TokenEntry | undefined,
  redirectUri: string | undefined,
): OAuthClient | undefined {
  if (stored?.client_id === undefined || stored.issuer === undefined || !sameIssuer(stored.issuer, issuer)) {
    return undefined;
  }
  if (redirectUri !== undefined && stored.redirect_uri !== redirectUri) return undefined;
  const { client_id, client_secret, token_endpoint_auth_method, client_secret_expires_at } = stored;
  // A page that does not know the client sends nobody back: then the next sign-in is made with a new one.
  if (stored.client_unanswered || isPast(client_secret_expires_at)) return undefined;
  return { client_id, client_secret, token_endpoint_auth_method, client_secret_expires_at, registered: true };
}

function isPast(seconds: unknown): boolean {
  return typeof seconds === 'number' && seconds > 0 && seconds * 1000 <= Date.now();
}

async function register(server: GuardedServer, at: Authority, needs: ClientNeeds): Promise<OAuthClient> {
  if (at.metadata && !at.metadata.registration_endpoint) {
    throw signInFailed(
      server.id,
      `${at.issuer} takes no new clients by itself`,
      'register a client there, and put it into oauth.client_id (and oauth.client_secret) of this server',
    );
  }
  const sdk = await loadSdk();
  const { scope, signal } = needs;
  const asked = clientMetadata(at, needs);
  try {
    sdk.assertSecureTokenEndpoint(at.metadata?.registration_endpoint ?? at.url);
    const registered: OAuthClientInformationMixed = await sdk.registerClient(at.url, {
      ...(at.metadata ? { metadata: at.metadata } : {}),
      clientMetadata: asked,
      ...(scope === undefined ? {} : { scope }),
      fetchFn: mending(fetchWithin(at.reach, signal), mendClient(asked.redirect_uris)),
    });
    return { ...pick(registered), registered: true };
  } catch (error) {
    throw translated(server.id, 'registering as a client there', error);
  }
}

function clientMetadata({ metadata }: Authority, { redirectUri, grantTypes }: ClientNeeds): OAuthClientMetadata {
  return {
    client_name: CLIENT_NAME,
    application_type: redirectUri === undefined || isLoopback(new URL(redirectUri)) ? 'native' : 'web',
    redirect_uris: redirectUri === undefined ? [] : [redirectUri],
    grant_types: [...grantTypes],
    response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: authMethodAmong(metadata?.token_endpoint_auth_methods_supported),
  };
}

/** A program on a person's machine can keep no secret, so none is asked for where none is needed. */
function authMethodAmong(supported: readonly string[] = ['none']): string {
  return ['none', 'client_secret_basic', 'client_secret_post'].find(method => supported.includes(method)) ?? 'none';
}

function pick(information: OAuthClientInformationMixed): Omit<OAuthClient, 'registered'> {
  const { client_id, client_secret, client_secret_expires_at } = information;
  const method = 'token_endpoint_auth_method' in information ? information.token_endpoint_auth_method : undefined;
  return { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method: method };
}
