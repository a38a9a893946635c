/** What the sign-in of one server needs to know. */
import type { JunctorError } from '../../../base/error.ts';
import type { Log } from '../../../base/log/log.ts';
import type { Interaction } from '../interaction.ts';
import type { TokenShelf } from '../tokens/token-shelf.ts';
import type { GuardedServer } from './authority.ts';

export interface OAuthCredentialsOptions {
  readonly server: GuardedServer;
  /** The entry of the shelf. */
  readonly name: string;
  readonly shelf: TokenShelf;
  /** Whom to turn to at once where a person is needed. */
  readonly interaction: Interaction | undefined;
  readonly clientMetadataUrl: string | undefined;
  readonly log: Log;
  /** Tells that a person is needed for some requests, though the server goes on. */
  readonly onMoreScope: (error: JunctorError) => void;
  readonly signal: AbortSignal;
}
