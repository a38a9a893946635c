/** What `hub-tokens.json` says: hashes of tokens, and what each opens. */

export interface TokenEntry {
  readonly sha256: string;
  readonly agent?: string;
  readonly session?: string;
  /** Where the agent runs. */
  readonly executor?: string;
  /** Set: it opens this, and nothing else. */
  readonly opens?: string;
  /** What its owner calls it. */
  readonly name?: string;
  readonly created: string;
  /** When it ends by itself. */
  readonly expires?: string;
  /** Who made it, as in `TokenMaker`. Absent: an earlier version did. */
  readonly made_by?: string;
  readonly made_by_name?: string;
}

export interface TokenDocument {
  readonly tokens: readonly TokenEntry[];
  /** The hashes of those that hubs on one database have in common: one that is here and not above was revoked here. */
  readonly shared?: readonly string[] | undefined;
  /** Which database that is: another one knows nothing of them. */
  readonly shared_in?: string | undefined;
}

export function readTokens(text: string): TokenDocument {
  if (text === '') return { tokens: [] };
  const { tokens = [], shared, shared_in } = JSON.parse(text) as Partial<TokenDocument>;
  return { tokens, shared, shared_in };
}

export function tokensText({ tokens, shared, shared_in }: TokenDocument): string {
  return `${JSON.stringify({ version: 1, tokens, shared, shared_in }, null, 2)}\n`;
}
