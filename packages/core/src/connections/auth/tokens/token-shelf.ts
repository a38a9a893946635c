/** Where sign-ins are kept: a file of the data directory, or what an embedding program has instead. */
import type { Redactor } from '../../../base/log/redact.ts';
import type { TokenEntry } from './token-entry.ts';

/** Where sign-ins are kept, one entry for each server and account. `mcp-auth.json` unless a program brings another. */
export interface TokenShelf {
  /** All of them, by name: `github`, or `github#work` for a further account. */
  entries(): Promise<ReadonlyMap<string, TokenEntry>>;
  /** One of them; undefined where nobody signed in. */
  get(name: string): Promise<TokenEntry | undefined>;
  /** Puts what `edit` makes of an entry in its place, in one step; undefined removes it. */
  change(
    name: string,
    edit: (entry: TokenEntry | undefined) => TokenEntry | undefined,
  ): Promise<TokenEntry | undefined>;
  /**
   * Runs `work` while nobody else who has this shelf renews this entry. A refresh token can be spent once: whoever comes
   * later finds the new tokens on the shelf. Other entries and other edits go on meanwhile.
   */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Longer than anybody who calls waits for an authorization server. Later calls find the token that is being fetched. */
export const RENEWAL_PATIENCE_MS = 60_000;

/** The same shelf; a redactor learns each secret that comes from it or goes to it. */
export function learningFrom(shelf: TokenShelf, redactor: Redactor): TokenShelf {
  const learned = (entry: TokenEntry | undefined): TokenEntry | undefined => {
    for (const secret of [entry?.access_token, entry?.refresh_token, entry?.client_secret]) {
      if (typeof secret === 'string') redactor.learn(secret);
    }
    return entry;
  };
  return {
    async entries() {
      const entries = await shelf.entries();
      for (const entry of entries.values()) learned(entry);
      return entries;
    },
    get: async name => learned(await shelf.get(name)),
    change: (name, edit) => shelf.change(name, entry => learned(edit(entry))),
    exclusively: (name, work) => shelf.exclusively(name, work),
  };
}
