/** A person signs in to one server: who guards it, whom we are there, the grant, and the entry that is kept of it. */
import { isJunctorError } from '../../base/error.ts';
import type { BearerChallenge } from './challenge.ts';
import { deniesClient, nothingToSignInTo } from './failures.ts';
import type { DeviceInfo, Interaction } from './interaction.ts';
import { type Authority, findAuthority, type GuardedServer, unspokenAuthority } from './oauth/authority.ts';
import { type Granted, grantByCode } from './oauth/code-grant.ts';
import { DEVICE_GRANT, deviceEndpoint, grantByDevice } from './oauth/device-grant.ts';
import { entryOf, withoutClient } from './oauth/granted.ts';
import { type ClientNeeds, chooseClient } from './oauth/oauth-client.ts';
import { belongsTo, type TokenEntry } from './tokens/token-entry.ts';
import type { TokenShelf } from './tokens/token-shelf.ts';

export interface SignInRequest {
  readonly server: GuardedServer;
  /** Where the entry is kept. */
  readonly name: string;
  readonly shelf: TokenShelf;
  readonly challenge: BearerChallenge;
  readonly interaction: Interaction;
  /** Exactly what to ask for. Default: what the config, the server's challenge or its metadata say. */
  readonly scope?: string | undefined;
  readonly clientMetadataUrl: string | undefined;
  readonly signal: AbortSignal;
}

export async function signInWithPerson(request: SignInRequest): Promise<TokenEntry> {
  const { server, name, shelf, challenge, signal } = request;
  const stored = await shelf.get(name).then(entry => (entry && belongsTo(entry, server) ? entry : undefined));
  const spoken = await findAuthority(server, challenge, signal, { others: stored?.issuer === undefined });
  const authority = spoken ?? unspokenAuthority(server);
  const scope = scopeFor(request, authority);
  const granted = await grantedBy(request, authority, scope, stored).catch(async error => {
    // Whoever tries again registers anew.
    if (deniesClient(error.cause)) await shelf.change(name, old => old && withoutClient(old));
    // It said nothing of signing in, and takes no client either: it wants something else.
    throw spoken || !isJunctorError(error, 'sign_in_failed') ? error : nothingToSignInTo(server.id, error);
  });
  const grant = { ...granted, authority, serverUrl: server.url, scope };
  return (await shelf.change(name, old => entryOf(grant, old, Date.now()))) as TokenEntry;
}

function grantedBy(
  request: SignInRequest,
  authority: Authority,
  scope: string | undefined,
  stored: TokenEntry | undefined,
): Promise<Granted> {
  const { server, name, shelf, interaction, clientMetadataUrl, signal } = request;
  const needs: ClientNeeds = { scope, stored, clientMetadataUrl, signal, grantTypes: PERSON_GRANTS };
  if (interaction.device && deviceEndpoint(authority)) return onAnotherDevice(request, authority, needs);
  return grantByCode({
    server,
    authority,
    scope,
    interaction,
    earlierRedirectUri: stored?.redirect_uri,
    async chooseClient(redirectUri) {
      const client = await chooseClient(server, authority, { ...needs, redirectUri });
      // Noted before anybody is sent there: whoever meets a page that does not know the client never comes back.
      if (client.registered && client.client_id === stored?.client_id) await shelf.change(name, marked);
      return client;
    },
    answered: async () => void (await shelf.change(name, unmarked)),
    signal,
  });
}

function marked(entry: TokenEntry | undefined): TokenEntry | undefined {
  return entry && { ...entry, client_unanswered: true };
}

function unmarked(entry: TokenEntry | undefined): TokenEntry | undefined {
  if (!entry) return undefined;
  const { client_unanswered: _mark, ...rest } = entry;
  return rest;
}

async function onAnotherDevice(request: SignInRequest, authority: Authority, needs: ClientNeeds): Promise<Granted> {
  const { server, interaction, signal } = request;
  // A client that was registered for the browser may not be allowed to sign in by code.
  const ownNeeds = { ...needs, stored: undefined, grantTypes: [DEVICE_GRANT, 'refresh_token'] };
  const client = await chooseClient(server, authority, ownNeeds);
  const show = (info: DeviceInfo): void => interaction.device?.show(info);
  const tokens = await grantByDevice({ server, authority, client, scope: needs.scope, show, signal });
  return { tokens, client };
}

const PERSON_GRANTS = ['authorization_code', 'refresh_token'];

/**
 * The narrowest that is known to be enough. Where the authorization server has a scope for staying signed in, it is asked
 * for as well; alone it would mean nothing.
 */
function scopeFor({ server, challenge, scope }: SignInRequest, { metadata, scopes }: Authority): string | undefined {
  const wanted = scope ?? server.oauth.scope ?? challenge.scope ?? scopes;
  const stay = metadata?.scopes_supported?.includes('offline_access');
  return wanted && stay && !wanted.split(/\s+/).includes('offline_access') ? `${wanted} offline_access` : wanted;
}
