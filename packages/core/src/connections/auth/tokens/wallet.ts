/** What each server of a host is shown as credentials: the header of its config, an auth provider, or a sign-in. */
import type { JunctorError } from '../../../base/error.ts';
import type { Log } from '../../../base/log/log.ts';
import type { Redactor } from '../../../base/log/redact.ts';
import { Scope } from '../../../base/scope.ts';
import type { ResolvedServer } from '../../../resolve/roster.ts';
import type { Credentials } from '../credentials.ts';
import type { Interaction } from '../interaction.ts';
import { makeCredentials } from '../make-credentials.ts';
import type { AuthProvider, TokensProvider } from '../provider-credentials.ts';
import { authorizationOf, type TokenEntry } from './token-entry.ts';
import type { TokenShelf } from './token-shelf.ts';

export interface WalletOptions {
  readonly shelf: TokenShelf;
  readonly providers: Readonly<Record<string, AuthProvider | TokensProvider>>;
  readonly interaction: Interaction | undefined;
  readonly clientMetadataUrl: string | undefined;
  readonly redactor: Redactor;
  readonly log: Log;
  /** Told that a person is needed for some requests of a server that goes on otherwise. */
  readonly onMoreScope: (server: string, error: JunctorError) => void;
}

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
    const credentials = makeCredentials(server, this.#options, this.signal);
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
      if (credentials?.signIn?.name === name) credentials.signIn.adopt(entry);
    }
  }

  /** Takes over what others changed on the shelf; says whose token is another now, and whose is gone. */
  async reread(): Promise<ReadonlyMap<string, 'other' | 'gone'>> {
    const changed = new Map<string, 'other' | 'gone'>();
    for (const [server, { credentials }] of this.#held) {
      const found = (await credentials?.signIn?.reread()) ?? 'same';
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
    await Promise.all(held.map(credentials => credentials?.signIn?.settled()));
  }
}
