/** Signing in and out on behalf of a person who asks for it, and what is known about all sign-ins of a host. */
import { JunctorError } from '../base/error.ts';
import { credentialKind, guarded } from '../connections/auth/credential-kind.ts';
import type { Interaction } from '../connections/auth/interaction.ts';
import {
  ageOf,
  belongsTo,
  endOf,
  entryName,
  splitEntryName,
  type TokenEntry,
} from '../connections/auth/tokens/token-entry.ts';
import type { RemoteEndpoint, ResolvedServer } from '../resolve/roster.ts';
import type { Host } from './host.ts';

/** How the person takes part, and what is asked for. */
export interface SignInOptions extends Interaction {
  /** Which of several accounts. Default: the one the config names for this server, else the one without a name. */
  readonly account?: string | undefined;
  /** Exactly what to ask for. Default: what the config, the server's challenge or its metadata say. */
  readonly scope?: string | undefined;
  /** Gives the sign-in up. */
  readonly signal?: AbortSignal | undefined;
}

/** A sign-in that was completed. */
export interface SignedIn {
  /** The id of the server. */
  readonly server: string;
  /** Which account; absent for the one without a name. */
  readonly account?: string;
  /** The authorization server. */
  readonly issuer?: string;
  /** What was granted, words apart by spaces. */
  readonly scope?: string;
  /** Milliseconds since the epoch. */
  readonly expires_at?: number;
}

export async function signIn(host: Host, server: string, options: SignInOptions): Promise<SignedIn> {
  const resolved = host.links.expect(server);
  const endpoint = expectSignIn(resolved);
  const account = options.account ?? endpoint.signIn.account;
  const name = entryName(server, account);
  const { wallet } = host;
  const signal = options.signal ? AbortSignal.any([options.signal, wallet.signal]) : wallet.signal;
  const entry = await newEntry(host, { server, name, endpoint, options, signal });
  wallet.adopt(name, entry);
  return { server, ...(account === undefined ? {} : { account }), ...known(entry) };
}

interface Attempt {
  readonly server: string;
  readonly name: string;
  readonly endpoint: RemoteEndpoint;
  readonly options: SignInOptions;
  readonly signal: AbortSignal;
}

/** Loading what signs in takes longer than most commands run: only who signs in pays for it. */
async function newEntry({ wallet }: Host, attempt: Attempt): Promise<TokenEntry> {
  const { name, endpoint, options, signal } = attempt;
  const server = guarded(attempt.server, endpoint);
  const { shelf, clientMetadataUrl } = wallet;
  const { askForChallenge } = await import('../connections/auth/probe.ts');
  const challenge = await askForChallenge(server.url, endpoint.transport, endpoint.headers, signal);
  const { isMachine, renew } = await import('../connections/auth/oauth/renewal.ts');
  if (isMachine(server)) {
    const outdated = await wallet.authorizationOf(name);
    return renew({ server, name, shelf, outdated, challenge, signal });
  }
  const { signInWithPerson } = await import('../connections/auth/sign-in.ts');
  const { scope } = options;
  return signInWithPerson({ server, name, shelf, challenge, interaction: options, scope, clientMetadataUrl, signal });
}

/** The sign-ins that are stored for a server, of every account, whether the config still has the server or not. */
export async function signInsOf({ wallet }: Host, server: string): Promise<string[]> {
  return [...(await wallet.shelf.entries()).keys()].filter(name => splitEntryName(name).server === server);
}

/** Removes the sign-ins of a server, one account or all, and tells the authorization server. Returns what was removed. */
export async function signOut(
  host: Host,
  server: string,
  { account, all = false }: { readonly account?: string | undefined; readonly all?: boolean } = {},
): Promise<string[]> {
  const { wallet, links } = host;
  const resolved = host.server(server);
  const own = resolved && resolved.endpoint.transport !== 'stdio' ? resolved.endpoint.signIn : undefined;
  const chosen = entryName(server, account ?? own?.account);
  const { clientOf } = await import('../connections/auth/oauth/oauth-client.ts');
  const removed: string[] = [];
  for (const [name, entry] of await wallet.shelf.entries()) {
    if (all ? splitEntryName(name).server !== server : name !== chosen) continue;
    await wallet.shelf.change(name, () => undefined);
    wallet.adopt(name, undefined);
    removed.push(name);
    if (!entry.revocation_endpoint) continue;
    const { revoke } = await import('../connections/auth/oauth/revoke.ts');
    await revoke(entry, clientOf(entry, own?.oauth || {}));
  }
  // A session that was opened with the token must not live on without it.
  if (removed.includes(entryName(server, own?.account)) && links.ids.includes(server)) await links.close(server);
  return removed;
}

/** How it stands with one sign-in. */
export interface AuthStatus {
  /** The id of the server. */
  readonly server: string;
  /** Which account; absent for the one without a name. */
  readonly account?: string;
  /**
   * `header`: the config has its credentials. `elsewhere`: an embedding program has. `not_needed`: it takes no sign-in, or
   * was reached without one.
   */
  readonly state: 'signed_in' | 'expired' | 'signed_out' | 'not_needed' | 'header' | 'elsewhere';
  /** Milliseconds since 1970. */
  readonly expires_at?: number;
  /** What was granted, words apart by spaces. */
  readonly scope?: string;
  /** The authorization server. */
  readonly issuer?: string;
  /** Whether it is renewed without a person. */
  readonly refreshable?: boolean;
}

export async function authStatus(host: Host): Promise<AuthStatus[]> {
  const entries = await host.wallet.shelf.entries();
  return host.links.ids.flatMap(id => {
    const server = host.links.expect(id);
    const kind = credentialKind(server);
    if (kind === 'header') return { server: id, state: 'header' as const };
    if (kind === 'provider') return { server: id, state: 'elsewhere' as const };
    if (kind === 'none' || server.endpoint.transport === 'stdio') return { server: id, state: 'not_needed' as const };
    const owner = guarded(id, server.endpoint);
    const found = [...entries].filter(([name, entry]) => splitEntryName(name).server === id && belongsTo(entry, owner));
    const machine = server.endpoint.signIn.oauth && server.endpoint.signIn.oauth.grant_type === 'client_credentials';
    if (found.length > 0) return found.map(([name, entry]) => statusOfEntry(name, entry, machine));
    return { server: id, state: host.links.state(id).kind === 'ready' ? ('not_needed' as const) : 'signed_out' };
  });
}

function statusOfEntry(name: string, entry: TokenEntry, machine: boolean): AuthStatus {
  const { server, account } = splitEntryName(name);
  const refreshable = machine || entry.refresh_token !== undefined;
  const over = ageOf(entry, Date.now()) === 'over' && !refreshable;
  const state = entry.access_token === undefined ? 'signed_out' : over ? 'expired' : 'signed_in';
  return { server, ...(account === undefined ? {} : { account }), state, ...known(entry), refreshable };
}

function known(entry: TokenEntry): Pick<SignedIn, 'issuer' | 'scope' | 'expires_at'> {
  const { issuer, scope } = entry;
  const expires_at = endOf(entry);
  return {
    ...(issuer === undefined ? {} : { issuer }),
    ...(scope === undefined ? {} : { scope }),
    ...(expires_at === undefined ? {} : { expires_at }),
  };
}

function expectSignIn(server: ResolvedServer): RemoteEndpoint {
  const { id, endpoint } = server;
  const kind = credentialKind(server);
  if (kind === 'oauth' && endpoint.transport !== 'stdio') {
    if (!endpoint.program) return endpoint;
    throw new JunctorError('usage', `Server '${id}' cannot be signed in to on its own.`, {
      server: id,
      why: 'Junctor starts its program when it is used, and until then nobody is there to ask',
      hint: `give it its credentials through env of server '${id}', or start it yourself and leave out command`,
    });
  }
  const [why, hint] =
    endpoint.transport === 'stdio'
      ? ['it is a program on this machine, and gets its credentials through env', `see env of server '${id}'`]
      : kind === 'header'
        ? ['its config sends an Authorization header', 'remove headers.Authorization or bearer_token_env_var first']
        : kind === 'provider'
          ? ['its credentials come from an auth provider', 'sign in with the program that passes it in']
          : ['oauth is false in its config', 'remove oauth: false to allow it'];
  throw new JunctorError('usage', `Server '${id}' takes no sign-in.`, { server: id, why, hint });
}
