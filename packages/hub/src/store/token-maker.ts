/** Who made a token or a page login. What somebody makes ends with the credential they made it with. Pure. */

/** Where a credential comes from that outlives every stored one: a command on the hub's machine, or the hub's own token. */
export type OwnMaker = 'command' | 'hub';

export interface TokenMaker {
  /** `token <sha256>`, `issuer <owner>`, or an `OwnMaker`. */
  readonly by: string;
  /** For people. */
  readonly name?: string | undefined;
  /** What it makes ends at this time at the latest; undefined: it ends with its maker. */
  readonly until?: number | undefined;
}

export const BY_COMMAND: TokenMaker = { by: 'command' satisfies OwnMaker };
export const BY_HUB: TokenMaker = { by: 'hub' satisfies OwnMaker };

export function byToken(digest: string): string {
  return `token ${digest}`;
}

export function byIssuer(owner: string): string {
  return `issuer ${owner}`;
}

export function isByIssuer(by: string | null | undefined): boolean {
  return by?.startsWith('issuer ') ?? false;
}

/** The digest of the stored token that made it; undefined where something else did. */
export function makerDigest(by: string | null | undefined): string | undefined {
  return by?.startsWith('token ') ? by.slice('token '.length) : undefined;
}
