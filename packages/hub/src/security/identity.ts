/** Who sends a request: the owner of a token, somebody who signed in with the issuer, or a person at the page. */
import type { Bearer } from '../store/bearer.ts';

export interface Known {
  readonly bearer: Bearer;
  /** Tells the owners of credentials apart, and nothing about the credentials. Compared as a whole, never read. */
  readonly principal: string;
  /** The person approved the call at a terminal before it was sent here. */
  readonly approved?: true | undefined;
  /** It came with the cookie of our own page. */
  readonly atPage?: true | undefined;
  /** When what they showed ends by itself, in milliseconds since the epoch. Absent: it is good until it is revoked. */
  readonly until?: number | undefined;
  /** What they showed, as the maker of what they make; see `TokenMaker`. */
  readonly by: string;
}

/** Why a request goes no further, in words for whoever sent it. */
export interface Refused {
  readonly status: 401 | 403 | 429 | 503;
  readonly code: 'token_required' | 'token_refused' | 'rate_limited' | 'connection_failed';
  readonly sentence: string;
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Identity = Known | Refused;

export function isRefused(identity: Identity): identity is Refused {
  return 'status' in identity;
}
