/** What each server of a host is shown as credentials: the header of its config, an auth provider, or a sign-in. */
import { JunctorError } from '../../base/error.ts';
import type { Log } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import { Scope } from '../../base/scope.ts';
import type { RemoteEndpoint, ResolvedServer, SignInSettings } from '../../resolve/roster.ts';
import type { GuardedServer } from './authority.ts';
import type { Credentials } from './credentials.ts';
import { HeaderCredentials, hasOwnAuthorization } from './header-credentials.ts';
import type { Interaction } from './interaction.ts';
import { OAuthCredentials } from './oauth-credentials.ts';
import { type AuthProvider, ProviderCredentials } from './provider-credentials.ts';
import { authorizationOf, entryName, type TokenEntry } from './token-entry.ts';
import type { TokenShelf } from './token-shelf.ts';

export interface WalletOptions {
  readonly shelf: TokenShelf;
  readonly providers: Readonly<Record<string, AuthProvider>>;
  readonly interaction: Interaction | undefined;
  readonly clientMetadataUrl: string | undefined;
  readonly redactor: Redactor;
  readonly log: Log;
  /** Told that a person is needed for some requests of a server that goes on otherwise. */
  readonly onMoreScope: (server: string, error: JunctorError) => void;
}

/** How a server is shown who we are. */
export type CredentialKind = 'none' | 'header' | 'provider' | 'oauth';

export class Wallet {
  readonly shelf: TokenShelf;
  readonly #options: WalletOptions;
  readonly #held = new Map<string, { readonly definition: string; readonly credentials: Credentials | undefined }>();
  readonly #scope = new Scope();

  constructor(options: WalletOptions) {
    this.shelf = options.shelf;
    this.#options = options;
  }

  get clientMetadataUrl(): string | undefined {
    return this.#options.clientMetadataUrl;
  }

  /** Aborted when the host closes: a sign-in that is under way ends with it. */
  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  /** Undefined: it is shown nothing, and a refusal is an error like any other. */
  for(server: ResolvedServer): Credentials | undefined {
    const { id, endpoint } = server;
    // A program that is started for each session serves each at an address of its own.
    const definition = `${'url' in endpoint ? endpoint.url : ''} ${server.definition}`;
    const held = this.#held.get(id);
    if (held?.definition === definition) return held.credentials;
    const credentials = this.#make(server);
    this.#held.set(id, { definition, credentials });
    return credentials;
  }

  /** Begins afresh with a server, whatever it refused before. */
  forget(server: string): void {
    this.#held.delete(server);
  }

  /** Whether a server that wanted a sign-in is worth asking again. */
  async renewed(server: ResolvedServer): Promise<boolean> {
    return (await this.for(server)?.renewed()) ?? true;
  }

  /** Hands over what somebody signed in to, or undefined after a sign-out, to whoever uses that entry here. */
  adopt(name: string, entry: TokenEntry | undefined): void {
    for (const { credentials } of this.#held.values()) {
      if (credentials instanceof OAuthCredentials && credentials.name === name) credentials.adopt(entry);
    }
  }

  /** Takes over what others changed on the shelf; says whose token is another now, and whose is gone. */
  async reread(): Promise<ReadonlyMap<string, 'other' | 'gone'>> {
    const changed = new Map<string, 'other' | 'gone'>();
    for (const [server, { credentials }] of this.#held) {
      const found = credentials instanceof OAuthCredentials ? await credentials.reread() : 'same';
      if (found !== 'same') changed.set(server, found);
    }
    return changed;
  }

  /** What the shelf holds for an entry, as it is sent. */
  async authorizationOf(name: string): Promise<string | undefined> {
    return authorizationOf(await this.shelf.get(name));
  }

  async close(): Promise<void> {
    await this.#scope.close();
    const held = [...this.#held.values()].map(({ credentials }) => credentials);
    await Promise.all(held.map(credentials => credentials instanceof OAuthCredentials && credentials.settled()));
  }

  #make(server: ResolvedServer): Credentials | undefined {
    const { id, endpoint } = server;
    const kind = credentialKind(server);
    if (endpoint.transport === 'stdio' || kind === 'none') return undefined;
    if (kind === 'header') return new HeaderCredentials(id);
    if (kind === 'provider') return this.#provider(id, endpoint);
    const { interaction, clientMetadataUrl, log } = this.#options;
    return new OAuthCredentials({
      server: guarded(id, endpoint),
      name: entryName(id, endpoint.signIn.account),
      shelf: this.shelf,
      interaction,
      clientMetadataUrl,
      log,
      onMoreScope: error => this.#options.onMoreScope(id, error),
      signal: this.signal,
    });
  }

  #provider(server: string, endpoint: RemoteEndpoint): Credentials {
    const { providers, redactor } = this.#options;
    const id = endpoint.signIn.provider as string;
    const provider = Object.hasOwn(providers, id) ? providers[id] : undefined;
    const learn = (secret: string): void => redactor.learn(secret);
    if (provider) return new ProviderCredentials({ server, url: endpoint.url, id, provider, learn });
    const known = Object.keys(providers);
    throw new JunctorError('server_unusable', `Server '${server}' wants auth provider '${id}', and there is none.`, {
      server,
      why: known.length > 0 ? `passed in were: ${known.join(', ')}` : 'no auth provider was passed in',
      hint: `pass it to createHost in authProvidersById, or remove auth_provider of server '${server}'`,
    });
  }
}

/** A header that a person wrote is never overridden; a provider that is named is asked before anybody signs in. */
export function credentialKind({ endpoint }: ResolvedServer): CredentialKind {
  if (endpoint.transport === 'stdio') return 'none';
  if (hasOwnAuthorization(endpoint.headers)) return 'header';
  if (endpoint.signIn.provider !== undefined) return 'provider';
  return endpoint.signIn.oauth === false ? 'none' : 'oauth';
}

/** A server as those see it who sign in to it. */
export function guarded(id: string, { url, signIn }: { url: string; signIn: SignInSettings }): GuardedServer {
  return { id, url: url.replace(/^ws/i, 'http'), oauth: signIn.oauth || {} };
}
