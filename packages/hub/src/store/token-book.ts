/** The tokens of one data directory. Only their hashes are kept: a copy of the file opens nothing. */
import { hash, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock, writePrivateFile } from '@junctor/core/inside';
import { readTokens, type TokenDocument, type TokenEntry, tokensText } from './token-document.ts';

/** A person's token opens everything, an agent's only its own doors, a server's only that of the server, a monitor's only the metrics. */
export type Bearer =
  /** With a name where its owner gave it one, or an issuer did: for the audit. */
  | { readonly kind: 'person'; readonly name?: string }
  /** Another hub on the same database: it may read what this one knows. */
  | { readonly kind: 'hub' }
  /** With a session: its token was made for one run, and all its connections are that session. */
  | { readonly kind: 'agent'; readonly agent: string; readonly session?: string; readonly executor?: string }
  | { readonly kind: 'server'; readonly server: string }
  | { readonly kind: typeof METRICS };

/** What a token for monitors opens, and its kind. */
export const METRICS = 'metrics';

/** Told which tokens are good no more, and which still are; by their digests. */
export type RevokedListener = (revoked: ReadonlyMap<string, Bearer>, good: ReadonlyMap<string, Bearer>) => void;

export interface TokenTerms {
  readonly session?: string | undefined;
  readonly executor?: string | undefined;
  /** For a monitor. */
  readonly opens?: typeof METRICS | undefined;
  readonly name?: string | undefined;
}

/** A token as people see it once it was made: nothing here opens anything. */
export interface ListedToken extends Omit<TokenEntry, 'sha256'> {
  readonly id: string;
}

/** How long a revoked token may still pass. Looking at the file costs a system call, so not every request does. */
const LOOK_EVERY_MS = 250;

/** How long a token that nobody shows any more may be revoked before what was opened with it ends: a hub at rest stays at rest. */
const NOTICE_EVERY_MS = 1000;

/** So many are kept at hand: working one out anew costs a request a twentieth of its time. */
const MAX_DIGESTS = 1000;

const PREFIX = 'jct_';

export function newToken(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

export class TokenBook {
  readonly #file: string;
  readonly #own = new Map<string, Bearer>();
  #stored = new Map<string, Bearer>();
  /** Of good tokens alone, so that nobody can fill it. */
  readonly #digests = new Map<string, string>();
  #seenAt = 0;
  #version = '';
  #share: (() => Promise<void>) | undefined;
  #onRevoked: RevokedListener = () => {};

  constructor(dataDirectory: string) {
    this.#file = join(dataDirectory, 'hub-tokens.json');
  }

  /** Accepts a person token that is kept nowhere but in this process. */
  acceptPerson(token: string): void {
    this.#own.set(sha256(token), { kind: 'person' });
  }

  /** Whoever brings the tokens of several hubs together: asked after each change, and for a token that is unknown here. */
  shareBy(share: () => Promise<void>): void {
    this.#share = share;
  }

  /**
   * Tells of tokens that are revoked, here or by a command that changes the file, until the function that comes back is
   * called.
   */
  followRevoked(listener: RevokedListener): () => void {
    this.#onRevoked = listener;
    const timer = setInterval(() => this.#refresh(), NOTICE_EVERY_MS).unref();
    return () => {
      clearInterval(timer);
      this.#onRevoked = () => {};
    };
  }

  /** `session`: for one run of the agent; all connections with such a token are one session. `executor`: where it runs. */
  async issue(agent?: string, { session, executor, opens, name }: TokenTerms = {}): Promise<string> {
    const token = newToken();
    const terms = Object.entries({ agent, session, executor, opens, name }).filter(([, value]) => value);
    const entry: TokenEntry = {
      sha256: sha256(token),
      ...Object.fromEntries(terms),
      created: new Date().toISOString(),
    };
    await this.#change(entries => [...entries, entry]);
    return token;
  }

  /** Revokes the tokens of one agent, of every monitor, or every person's; says how many there were. */
  async revoke(agent?: string, opens?: typeof METRICS): Promise<number> {
    let revoked = 0;
    await this.#change(entries => {
      const kept = entries.filter(entry => entry.agent !== agent || entry.opens !== opens);
      revoked = entries.length - kept.length;
      return kept;
    });
    return revoked;
  }

  /** Those of the file, oldest first. */
  async list(): Promise<ListedToken[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return readTokens(text).tokens.map(({ sha256, ...rest }) => ({ id: shortId(sha256), ...rest }));
  }

  /** Revokes the one that is listed under this id; false where none is. */
  async revokeListed(id: string): Promise<boolean> {
    let revoked = false;
    await this.#change(entries => {
      const kept = entries.filter(entry => shortId(entry.sha256) !== id);
      revoked = kept.length < entries.length;
      return kept;
    });
    return revoked;
  }

  /** Revokes one token, known by its digest. */
  async withdraw(digest: string): Promise<void> {
    await this.#change(entries => entries.filter(entry => entry.sha256 !== digest));
  }

  bearerOf(token: string): Bearer | undefined {
    this.#refresh();
    const digest = this.#digests.get(token) ?? sha256(token);
    const known = this.#own.get(digest) ?? this.#stored.get(digest);
    if (known) {
      if (this.#digests.size < MAX_DIGESTS) this.#digests.set(token, digest);
      return known;
    }
    this.#digests.delete(token);
    // It may be newer than the last look: whoever was just given a token must not be turned away.
    this.#seenAt = 0;
    this.#refresh();
    return this.#stored.get(digest);
  }

  /** As `bearerOf`, also of a token that another hub has just made. */
  async lookUp(token: string): Promise<Bearer | undefined> {
    const known = this.bearerOf(token);
    if (known || !this.#share || !token.startsWith(PREFIX)) return known;
    await this.#share();
    return this.bearerOf(token);
  }

  /** Names what is in the file now. */
  get version(): string {
    const found = statSync(this.#file, { throwIfNoEntry: false });
    return found ? `${found.ino}:${found.mtimeMs}:${found.size}` : '';
  }

  /** Changes the file while nobody else does; one that says the same already is left alone. */
  async edit(change: (document: TokenDocument) => Promise<TokenDocument> | TokenDocument): Promise<void> {
    await withFileLock(this.#file, async () => {
      const text = await readFile(this.#file, 'utf8').catch(() => '');
      const after = tokensText(await change(readTokens(text)));
      if (after !== text) await writePrivateFile(this.#file, after);
    });
    this.#seenAt = 0;
    this.#refresh();
  }

  async #change(edit: (entries: readonly TokenEntry[]) => readonly TokenEntry[]): Promise<void> {
    await this.edit(document => ({ ...document, tokens: edit(document.tokens) }));
    await this.#share?.();
  }

  #refresh(): void {
    const now = performance.now();
    if (this.#seenAt > 0 && now - this.#seenAt < LOOK_EVERY_MS) return;
    this.#seenAt = now;
    const { version } = this;
    if (version === this.#version) return;
    let entries: readonly TokenEntry[];
    try {
      entries = version ? readTokens(readFileSync(this.#file, 'utf8')).tokens : [];
    } catch {
      return; // half written or spoilt: the tokens that were good stay so until it can be read again
    }
    this.#version = version;
    const before = this.#stored;
    this.#stored = new Map(
      entries.flatMap(entry => {
        const bearer = bearerIn(entry);
        return bearer ? [[entry.sha256, bearer]] : [];
      }),
    );
    const revoked = new Map([...before].filter(([digest]) => !this.#stored.has(digest)));
    if (revoked.size > 0) this.#onRevoked(revoked, this.#stored);
  }
}

/** Undefined for one that a later version made, and that opens less than we know of. */
function bearerIn({ agent, session, executor, opens, name }: TokenEntry): Bearer | undefined {
  if (opens !== undefined) return opens === METRICS ? { kind: METRICS } : undefined;
  if (agent === undefined) return { kind: 'person', ...(name === undefined ? {} : { name }) };
  const run = session === undefined ? {} : { session };
  return { kind: 'agent', agent, ...run, ...(executor === undefined ? {} : { executor }) };
}

/** The id under which a token is listed. */
export function tokenId(token: string): string {
  return shortId(sha256(token));
}

function shortId(digest: string): string {
  return digest.slice(0, 12);
}

/** What is kept of a token: enough to know it again. */
export function tokenDigest(token: string): string {
  return sha256(token);
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
