/**
 * New tokens without a person: by refresh token, or with the credentials of a machine. One at a time for each entry, on all
 * threads and in all processes; whoever waited takes what the other got.
 */
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import type { BearerChallenge } from '../challenge.ts';
import {
  authorityUnreachable,
  deniesClient,
  endsGrant,
  isPassing,
  oauthCode,
  signInNeeded,
  translated,
} from '../failures.ts';
import { reachOf } from '../reach.ts';
import { ageOf, authorizationOf, belongsTo, sameIssuer, type TokenEntry } from '../tokens/token-entry.ts';
import type { TokenShelf } from '../tokens/token-shelf.ts';
import { type Authority, findAuthority, type GuardedServer } from './authority.ts';
import { renewedEntry, withoutClient, withoutTokens } from './granted.ts';
import { grantToMachine } from './machine-grant.ts';
import { clientOf, configuredClient } from './oauth-client.ts';
import { REFRESH_ANSWER_MS } from './sdk.ts';
import { requestTokens } from './token-request.ts';

export interface Renewal {
  readonly server: GuardedServer;
  readonly name: string;
  readonly shelf: TokenShelf;
  /** What is no longer good, or not for long. */
  readonly outdated: string | undefined;
  /** Set where the server itself refused it. */
  readonly challenge?: BearerChallenge | undefined;
  readonly signal: AbortSignal;
  /** Aborted when not even the answer to a refresh is waited for any more. */
  readonly abandoned?: AbortSignal | undefined;
}

export function isMachine({ oauth }: GuardedServer): boolean {
  return oauth.grant_type === 'client_credentials';
}

/** Throws `auth_required` where only a person can get new ones. */
export function renew(renewal: Renewal): Promise<TokenEntry> {
  const { server, name, shelf, outdated } = renewal;
  return shelf.exclusively(name, async () => {
    const found = await shelf.get(name);
    const entry = found && belongsTo(found, server) ? found : undefined;
    if (entry?.access_token && authorizationOf(entry) !== outdated && ageOf(entry, Date.now()) === 'fresh')
      return entry;
    if (isMachine(server)) return grantToMachine(renewal, entry);
    if (!entry?.refresh_token) throw signInNeeded(server.id, 'its token is over, and cannot be renewed');
    return refresh(renewal, entry, entry.refresh_token);
  });
}

async function refresh(renewal: Renewal, entry: TokenEntry, refreshToken: string): Promise<TokenEntry> {
  const { server, name, shelf, abandoned } = renewal;
  const client = clientOf(entry, server.oauth);
  if (!client) throw signInNeeded(server.id, 'its token is over, and the client that got it is not known');
  const authority = await authorityFor(renewal, entry);
  try {
    const params = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
    // Not given up once it is sent: the answer holds the only refresh token that is still good.
    const tokens = await requestTokens(authority, client, params, { signal: abandoned, answerMs: REFRESH_ANSWER_MS });
    return await keep(renewal, entry, old =>
      renewedEntry({ ...old, issuer: authority.issuer, server_url: server.url }, tokens, Date.now()),
    );
  } catch (error) {
    if (isPassing(error)) throw authorityUnreachable(server.id, error);
    const code = oauthCode(error);
    if (code === undefined) throw translated(server.id, 'renewing its token', error);
    // The grant has ended, or the client is gone. What is no longer good must not be tried again by the next process.
    const clientIsGone = deniesClient(error) && !configuredClient(server.oauth);
    if (clientIsGone) await shelf.change(name, old => (old === undefined ? old : withoutClient(withoutTokens(old))));
    else if (endsGrant(error)) await keep(renewal, entry, withoutTokens);
    throw signInNeeded(server.id, `the last sign-in is no longer good: ${code}`, error);
  }
}

/** Puts the edit in place, unless somebody signed in anew or out while we asked. */
async function keep(
  { server, name, shelf }: Renewal,
  entry: TokenEntry,
  edit: (old: TokenEntry) => TokenEntry,
): Promise<TokenEntry> {
  const isStill = (old: TokenEntry | undefined): boolean => old?.refresh_token === entry.refresh_token;
  const kept = await shelf.change(name, old => (old && isStill(old) ? edit(old) : old));
  if (kept) return kept;
  throw signInNeeded(server.id, 'somebody signed out meanwhile');
}

/**
 * A token that ran out is renewed where it came from. One that the server refused may be refused because the server has
 * gone over to another authorization server: it is asked again, and a refresh token never goes to the new one.
 */
async function authorityFor({ server, challenge, signal }: Renewal, entry: TokenEntry): Promise<Authority> {
  const kept = storedAuthority(server, entry);
  if (kept && !challenge) return kept;
  const found = await findAuthority(server, challenge ?? {}, signal);
  if (!found) {
    if (kept) return kept;
    throw signInNeeded(server.id, 'its token is over, and it no longer says who renews it');
  }
  if (entry.issuer === undefined || sameIssuer(entry.issuer, found.issuer)) return found;
  throw signInNeeded(server.id, `you signed in at ${entry.issuer}, and it now asks for a sign-in at ${found.issuer}`);
}

function storedAuthority(
  server: GuardedServer,
  { issuer, token_endpoint, resource }: TokenEntry,
): Authority | undefined {
  if (issuer === undefined || token_endpoint === undefined) return undefined;
  const metadata: AuthorizationServerMetadata = {
    issuer,
    token_endpoint,
    authorization_endpoint: token_endpoint,
    response_types_supported: ['code'],
  };
  return { issuer, url: issuer, metadata, saysItIs: issuer, resource, scopes: undefined, reach: reachOf(server) };
}
