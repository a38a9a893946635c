/** Tells an authorization server that tokens are no longer used (RFC 7009). A courtesy: what it answers changes nothing. */

import { fetchWithin, type Reach, reachOf } from '../reach.ts';
import type { TokenEntry } from '../tokens/token-entry.ts';
import { authenticate } from './client-authentication.ts';
import type { OAuthClient } from './oauth-client.ts';

/** True where every token was taken back. */
export async function revoke(entry: TokenEntry, client: OAuthClient | undefined): Promise<boolean> {
  const { revocation_endpoint, refresh_token, access_token } = entry;
  if (!revocation_endpoint || !URL.canParse(revocation_endpoint) || !client) return false;
  const url = new URL(revocation_endpoint);
  const { server_url } = entry;
  const reach = reachOf({ url: server_url && URL.canParse(server_url) ? server_url : url.href, oauth: {} });
  const tokens = [
    ['refresh_token', refresh_token],
    ['access_token', access_token],
  ] as const;
  const signal = AbortSignal.timeout(REVOCATION_MS);
  const taken = tokens.map(([token_type_hint, token]) =>
    token ? revokeOne(client, { url, reach, signal }, { token, token_type_hint }) : true,
  );
  return (await Promise.all(taken)).every(Boolean);
}

/** A person waits for it, and the sign-in is removed whatever comes back. */
const REVOCATION_MS = 3000;

interface RevocationPlace {
  readonly url: URL;
  readonly reach: Reach;
  readonly signal: AbortSignal;
}

async function revokeOne(
  client: OAuthClient,
  { url, reach, signal }: RevocationPlace,
  params: Record<string, string>,
): Promise<boolean> {
  try {
    const headers = new Headers({ accept: 'application/json' });
    const body = new URLSearchParams(params);
    await authenticate(client, { metadata: undefined }, { headers, body, url });
    const response = await fetchWithin(reach, signal)(url, { method: 'POST', headers, body });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
