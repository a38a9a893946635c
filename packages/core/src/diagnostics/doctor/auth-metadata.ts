/** What a server and its authorization server say about signing in: RFC 9728, RFC 8414, and the ways they offer. */
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import type { BearerChallenge } from '../../connections/auth/challenge.ts';
import { type Authority, findAuthority, type GuardedServer } from '../../connections/auth/oauth/authority.ts';
import { deviceEndpoint } from '../../connections/auth/oauth/device-grant.ts';
import { loadSdk } from '../../connections/auth/oauth/sdk.ts';
import { askForChallenge } from '../../connections/auth/probe.ts';
import { fetchWithin, reachOf } from '../../connections/auth/reach.ts';
import type { RemoteEndpoint } from '../../resolve/roster.ts';

export interface AuthMetadata {
  readonly issuer: string;
  /** Whether the server says who guards it (RFC 9728). null: nobody asked, since the config names the endpoints. */
  readonly resource_metadata: boolean | null;
  /** Whether the authorization server describes itself (RFC 8414, OpenID discovery). */
  readonly authorization_metadata: boolean;
  /** How one becomes a client there, as far as Junctor can go that way. */
  readonly registration: readonly ('config' | 'document' | 'dynamic')[];
  /** It takes a client id that is the address of a document; that needs `client_metadata_url`. */
  readonly takes_documents: boolean;
  /** null: it does not say. */
  readonly pkce_s256: boolean | null;
  readonly device_code: boolean;
  readonly scopes: string | null;
}

/** Undefined: nothing says that one can sign in there. Throws where what is said cannot be used. */
export async function readAuthMetadata(
  server: GuardedServer,
  endpoint: RemoteEndpoint,
  { clientMetadataUrl, signal }: { readonly clientMetadataUrl: string | undefined; readonly signal: AbortSignal },
): Promise<AuthMetadata | undefined> {
  const challenge = await askForChallenge(server.url, endpoint.transport, endpoint.headers, signal);
  const authority = await findAuthority(server, challenge, signal);
  if (!authority) return undefined;
  const { metadata } = authority;
  const documents = metadata?.client_id_metadata_document_supported === true;
  const ownDocument = server.oauth.client_metadata_url ?? clientMetadataUrl;
  return {
    issuer: authority.issuer,
    resource_metadata: isConfigured(server) ? null : await saysWhoGuards(server, challenge, signal),
    authorization_metadata: metadata !== undefined && !isConfigured(server),
    registration: [
      ...(server.oauth.client_id === undefined ? [] : (['config'] as const)),
      ...(documents && ownDocument !== undefined ? (['document'] as const) : []),
      // One that says nothing of itself has its endpoints at fixed places, as of 2025-03-26.
      ...(metadata === undefined || metadata.registration_endpoint ? (['dynamic'] as const) : []),
    ],
    takes_documents: documents,
    pkce_s256: metadata?.code_challenge_methods_supported?.includes('S256') ?? null,
    device_code: deviceEndpoint(authority) !== undefined,
    scopes: scopesOf(authority, metadata) ?? null,
  };
}

/** With both endpoints in the config nobody is asked. */
function isConfigured({ oauth }: GuardedServer): boolean {
  return oauth.token_url !== undefined && (oauth.authorization_url !== undefined || oauth.grant_type !== undefined);
}

async function saysWhoGuards(
  server: GuardedServer,
  { resourceMetadata }: BearerChallenge,
  signal: AbortSignal,
): Promise<boolean> {
  const { discoverOAuthProtectedResourceMetadata } = await loadSdk();
  const pointed = resourceMetadata === undefined ? {} : { resourceMetadataUrl: new URL(resourceMetadata) };
  return discoverOAuthProtectedResourceMetadata(server.url, pointed, fetchWithin(reachOf(server), signal)).then(
    () => true,
    () => false,
  );
}

function scopesOf({ scopes }: Authority, metadata: AuthorizationServerMetadata | undefined): string | undefined {
  return scopes ?? metadata?.scopes_supported?.join(' ');
}
