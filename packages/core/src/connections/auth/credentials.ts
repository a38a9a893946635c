/** What a remote transport needs to know of signing in: what to send, and whom to tell that it was not enough. */
import type { TokenEntry } from './tokens/token-entry.ts';

export interface Challenge {
  readonly status: 401 | 403;
  readonly wwwAuthenticate: string | undefined;
  /** What the refused request carried. Somebody else may have signed in meanwhile. */
  readonly sent: string | undefined;
  /** How often this request was sent again already: credentials that are refused when new must not be fetched for ever. */
  readonly attempt: number;
}

export interface Credentials {
  /**
   * The value of the Authorization header as it is now, undefined while nobody has signed in. A promise only where
   * something has to be waited for, such as a refresh: the way of an ordinary call stays free of waits.
   */
  authorization(): string | undefined | Promise<string | undefined>;
  /**
   * True: there are other credentials now, so send again. False: signing in would not help. Throws `auth_required` where a
   * person is needed.
   */
  challenged(challenge: Challenge): Promise<boolean>;
  /** Whether a server that wanted a sign-in is worth asking again: somebody signed in meanwhile. */
  renewed(): Promise<boolean>;
  /** Where they stand on the shelf, which others write too. */
  readonly signIn?: HeldSignIn | undefined;
}

/** A sign-in as it is held by one host. */
export interface HeldSignIn {
  /** Of its entry on the shelf. */
  readonly name: string;
  /** What a sign-in brought, or undefined after a sign-out. */
  adopt(entry: TokenEntry | undefined): void;
  /** Takes over what somebody else has put on the shelf, or taken from it. */
  reread(): Promise<'same' | 'other' | 'gone'>;
  /** Waits for a renewal that is under way: what it brings must reach the shelf. */
  settled(): Promise<void>;
}
