/** What an embedding program decides about signing in, and the wallet made from it. */
import type { JunctorError } from '../base/error.ts';
import type { Log } from '../base/log/log.ts';
import type { Redactor } from '../base/log/redact.ts';
import { dataDirectory, ownSurroundings, type Surroundings } from '../config/sources/places.ts';
import type { Interaction } from '../connections/auth/interaction.ts';
import type { AuthProvider, TokensProvider } from '../connections/auth/provider-credentials.ts';
import { TokenFile } from '../connections/auth/tokens/token-file.ts';
import { learningFrom, type TokenShelf } from '../connections/auth/tokens/token-shelf.ts';
import { Wallet } from '../connections/auth/tokens/wallet.ts';

/** What an embedding program decides about signing in. */
export interface CredentialOptions {
  /** Auth providers by the id that `auth_provider` of a server names; an SDK's `OAuthClientProvider` is one too. */
  readonly authProvidersById?: Readonly<Record<string, AuthProvider | TokensProvider>> | undefined;
  /** Takes part in a sign-in at once when a server asks for one. Without it such a server waits for `signIn`. */
  readonly signIn?: Interaction | undefined;
  /** https address of this program's client id metadata document. */
  readonly clientMetadataUrl?: string | undefined;
  /** Where sign-ins are kept. Default: `mcp-auth.json` in the data directory. */
  readonly tokenShelf?: TokenShelf | undefined;
}

interface Surrounded extends CredentialOptions {
  readonly surroundings?: Surroundings | undefined;
  readonly data?: string | undefined;
}

export function walletFor(
  { authProvidersById = {}, signIn, clientMetadataUrl, tokenShelf, surroundings = ownSurroundings(), data }: Surrounded,
  parts: {
    readonly redactor: Redactor;
    readonly log: Log;
    readonly onMoreScope: (server: string, error: JunctorError) => void;
  },
): Wallet {
  return new Wallet({
    ...parts,
    shelf: learningFrom(tokenShelf ?? new TokenFile(dataDirectory(surroundings, data)), parts.redactor),
    providers: authProvidersById,
    interaction: signIn,
    clientMetadataUrl,
  });
}
