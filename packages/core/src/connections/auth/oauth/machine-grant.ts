/** A machine signs in with its own client, by secret or by signature: no person, no refresh token. */
import { JunctorError } from '../../../base/error.ts';
import { authorityUnreachable, clientRefused, isPassing, nothingToSignInTo } from '../failures.ts';
import type { TokenEntry } from '../tokens/token-entry.ts';
import { findAuthority, type GuardedServer } from './authority.ts';
import { entryOf } from './granted.ts';
import { configuredClient, trustedClient } from './oauth-client.ts';
import type { Renewal } from './renewal.ts';
import { requestTokens } from './token-request.ts';

export async function grantToMachine(renewal: Renewal, old: TokenEntry | undefined): Promise<TokenEntry> {
  const { server, name, shelf, challenge = {}, signal } = renewal;
  if (!hasOwnClient(server)) throw withoutClient(server.id);
  const authority = await findAuthority(server, challenge, signal);
  const client = authority && trustedClient(server, authority, old);
  if (!client) throw nothingToSignInTo(server.id);
  const scope = server.oauth.scope ?? challenge.scope ?? old?.scope ?? authority.scopes;
  try {
    const params = new URLSearchParams({ grant_type: 'client_credentials', ...(scope ? { scope } : {}) });
    const tokens = await requestTokens(authority, client, params, { signal });
    const grant = { tokens, client, authority, serverUrl: server.url, scope };
    return (await shelf.change(name, before => entryOf(grant, before, Date.now()))) as TokenEntry;
  } catch (error) {
    throw isPassing(error)
      ? authorityUnreachable(server.id, error)
      : clientRefused(server, `${authority.issuer} refused this machine`, error);
  }
}

function hasOwnClient({ oauth }: GuardedServer): boolean {
  const client = configuredClient(oauth);
  return client?.client_secret !== undefined || client?.private_key !== undefined;
}

function withoutClient(server: string): JunctorError {
  return new JunctorError('config_invalid', `Server '${server}' signs in as a machine, and has no client for it.`, {
    server,
    why: 'oauth.grant_type is client_credentials',
    hint: 'set oauth.client_id, and oauth.client_secret or oauth.private_key',
  });
}
