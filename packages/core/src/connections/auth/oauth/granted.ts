/** What a token endpoint gave, as the entry it is stored as. Pure. */
import type { OAuthTokens } from '@modelcontextprotocol/client';
import { sameIssuer, type TokenEntry } from '../tokens/token-entry.ts';
import type { Authority } from './authority.ts';
import type { OAuthClient } from './oauth-client.ts';

export interface Grant {
  readonly tokens: OAuthTokens;
  readonly client: OAuthClient;
  readonly authority: Authority;
  readonly serverUrl: string;
  /** What was asked for: a token that does not name its scopes has these. */
  readonly scope: string | undefined;
  readonly redirectUri?: string | undefined;
}

/** Keys of `old` that we do not know are kept where the entry stays that of the same server and issuer. */
export function entryOf(grant: Grant, old: TokenEntry | undefined, now: number): TokenEntry {
  const { tokens, client, authority, serverUrl, scope, redirectUri } = grant;
  // In the documents of RFC 8414 and OpenID alike, though the types know only one of them.
  const { revocation_endpoint } = (authority.metadata ?? {}) as { revocation_endpoint?: string };
  return defined({
    ...(isBoundAlike(old, grant) ? old : {}),
    ...lifeOf(tokens, now),
    refresh_token: tokens.refresh_token,
    // An empty one says as little as none.
    scope: tokens.scope || scope,
    client_id: client.client_id,
    client_secret: client.registered ? client.client_secret : undefined,
    token_endpoint_auth_method: client.registered ? client.token_endpoint_auth_method : undefined,
    redirect_uri: client.registered ? redirectUri : undefined,
    client_secret_expires_at: client.registered ? client.client_secret_expires_at : undefined,
    client_unanswered: undefined,
    server_url: serverUrl,
    issuer: authority.issuer,
    token_endpoint: authority.metadata?.token_endpoint ?? new URL('/token', authority.url).href,
    revocation_endpoint,
    resource: authority.resource || undefined,
  });
}

/** The same grant with newer tokens. A server that gives no new refresh token means the old one to be used again. */
export function renewedEntry(entry: TokenEntry, tokens: OAuthTokens, now: number): TokenEntry {
  return defined({
    ...entry,
    ...lifeOf(tokens, now),
    refresh_token: tokens.refresh_token ?? entry.refresh_token,
    scope: tokens.scope || entry.scope,
  });
}

/** The entry without what is no longer good. */
export function withoutTokens(entry: TokenEntry): TokenEntry {
  const { access_token: _access, refresh_token: _refresh, expires_at: _end, obtained_at: _begin, ...rest } = entry;
  return rest;
}

/** The entry without a client that the authorization server no longer knows. */
export function withoutClient(entry: TokenEntry): TokenEntry {
  const { client_id: _id, client_secret: _secret, redirect_uri: _uri, ...others } = entry;
  const { client_secret_expires_at: _end, client_unanswered: _mark, ...rest } = others;
  return rest;
}

function lifeOf(tokens: OAuthTokens, now: number): Partial<TokenEntry> {
  return {
    access_token: tokens.access_token,
    token_type: tokens.token_type,
    expires_at: tokens.expires_in === undefined ? undefined : now + tokens.expires_in * 1000,
    obtained_at: now,
  };
}

function isBoundAlike(old: TokenEntry | undefined, { authority, serverUrl }: Grant): boolean {
  if (!old || (old.server_url !== undefined && old.server_url !== serverUrl)) return false;
  return old.issuer === undefined || sameIssuer(old.issuer, authority.issuer);
}

function defined(entry: TokenEntry): TokenEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
