/** One entry of `mcp-auth.json`: the keys codelia writes, those we add, and whatever else stands there. Pure. */
export interface TokenEntry {
  /** What is shown to the server. */
  readonly access_token?: string | undefined;
  /** Good for one use: see `TokenShelf.exclusively`. */
  readonly refresh_token?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expires_at?: number | undefined;
  /** `Bearer`. */
  readonly token_type?: string | undefined;
  /** What was granted, words apart by spaces. */
  readonly scope?: string | undefined;
  /** Whom the tokens were given to. */
  readonly client_id?: string | undefined;
  /** Of a client that was registered with one. */
  readonly client_secret?: string | undefined;
  /** The server the tokens are for: the same id at another address never gets them. */
  readonly server_url?: string | undefined;
  /** The authorization server that gave them: no other gets the refresh token or the client's secret. */
  readonly issuer?: string | undefined;
  /** Where they are renewed. */
  readonly token_endpoint?: string | undefined;
  /** Where they are taken back when somebody signs out. */
  readonly revocation_endpoint?: string | undefined;
  /** How the client shows there who it is. */
  readonly token_endpoint_auth_method?: string | undefined;
  /** What the tokens are for (RFC 8707). */
  readonly resource?: string | undefined;
  /** What the client was registered with. */
  readonly redirect_uri?: string | undefined;
  /** Seconds since the epoch, as the registration said. 0: never. */
  readonly client_secret_expires_at?: number | undefined;
  /** A sign-in with this client was begun, and nobody came back: the authorization server may have forgotten it. */
  readonly client_unanswered?: true | undefined;
  /** Milliseconds since the epoch. */
  readonly obtained_at?: number | undefined;
  readonly [key: string]: unknown;
}

/** `github`, or `github#work` for a further account. */
export function entryName(server: string, account: string | undefined): string {
  return account === undefined ? server : `${server}#${account}`;
}

export function splitEntryName(name: string): { readonly server: string; readonly account: string | undefined } {
  const at = name.indexOf('#');
  return at < 0 ? { server: name, account: undefined } : { server: name.slice(0, at), account: name.slice(at + 1) };
}

/** What is sent for it. */
export function authorizationOf(entry: TokenEntry | undefined): string | undefined {
  return entry?.access_token ? `Bearer ${entry.access_token}` : undefined;
}

/** Time for a refresh and the request after it. Tokens of a few minutes would be renewed all the time, hence the share. */
const AHEAD_MS = 60_000;
const AHEAD_SHARE = 0.1;

/** The last day that can be written as a date. */
const LAST_MS = 8.64e15;

/** When it ends; undefined where it does not say so, or says something that is no date. */
export function endOf({ expires_at }: TokenEntry): number | undefined {
  return typeof expires_at === 'number' && Math.abs(expires_at) <= LAST_MS ? expires_at : undefined;
}

/** `ageing`: still good, and time to renew it. A token that does not say when it ends is good until it is refused. */
export function ageOf({ expires_at, obtained_at }: TokenEntry, now: number): 'fresh' | 'ageing' | 'over' {
  if (typeof expires_at !== 'number') return 'fresh';
  if (now >= expires_at) return 'over';
  const lifeMs = typeof obtained_at === 'number' ? expires_at - obtained_at : Number.POSITIVE_INFINITY;
  return now >= expires_at - Math.min(AHEAD_MS, lifeMs * AHEAD_SHARE) ? 'ageing' : 'fresh';
}

/** As much of a server as decides what belongs to it. */
interface Owner {
  readonly url: string;
  /** `issuer`: the only one that a person lets it have. */
  readonly oauth: { readonly issuer?: string | undefined };
  /** Its definition came with a project. */
  readonly ofProject?: true;
}

/**
 * An entry of codelia names no address: it belongs to the first server of that id which a person defined themselves. A project
 * chooses ids and addresses as it likes, so that none of its servers gets such a token.
 */
export function belongsTo({ server_url, issuer }: TokenEntry, { url, oauth, ofProject }: Owner): boolean {
  if (server_url === undefined ? ofProject : server_url !== url) return false;
  return issuer === undefined || oauth.issuer === undefined || sameIssuer(issuer, oauth.issuer);
}

/** Issuers are compared as they are, but for the slash that a URL without a path gets when it is parsed. */
export function sameIssuer(a: string, b: string): boolean {
  return a.replace(/\/$/, '') === b.replace(/\/$/, '');
}
