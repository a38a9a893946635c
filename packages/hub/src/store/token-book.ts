/** The tokens of one data directory. Only their hashes are kept: a copy of the file opens nothing. */
import { hash, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock, writePrivateFile } from '@junctor/core/inside';
import { type Bearer, bearerIn, endOf, type METRICS } from './bearer.ts';
import { readTokens, type TokenDocument, type TokenEntry, tokensText } from './token-document.ts';

/** Told which tokens are good no more, and which still are; by their digests. */
export type RevokedListener = (revoked: ReadonlyMap<string, Bearer>, good: ReadonlyMap<string, Bearer>) => void;

export interface TokenTerms {
  readonly session?: string | undefined;
  readonly executor?: string | undefined;
  /** For a monitor. */
  readonly opens?: typeof METRICS | undefined;
  readonly name?: string | undefined;
  /** It ends by itself after so long; default: it is good until it is revoked. */
  readonly hours?: number | undefined;
}

/** Ten years are long enough: whoever wants more wants one that is good until it is revoked. */
export const TOKEN_LIMITS = { nameChars: 64, hours: 10 * 365 * 24 } as const;

const HOUR_MS = 60 * 60_000;

/** Which tokens are meant: those of an agent, of monitors, or else of people; with a name, those of that name. */
export interface WhichTokens {
  readonly agent?: string | undefined;
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
  #entries: readonly TokenEntry[] = [];
  /** Of those that are good now. */
  #stored = new Map<string, Bearer>();
  /** When the first of them ends by itself. */
  #nextEnd = Number.POSITIVE_INFINITY;
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
  async issue(agent?: string, { hours, ...more }: TokenTerms = {}): Promise<string> {
    const token = newToken();
    const expires = hours === undefined ? undefined : new Date(Date.now() + hours * HOUR_MS).toISOString();
    const terms = Object.entries({ agent, ...more, expires }).filter(([, value]) => value);
    const entry: TokenEntry = {
      sha256: sha256(token),
      ...Object.fromEntries(terms),
      created: new Date().toISOString(),
    };
    await this.#change(entries => [...entries, entry]);
    return token;
  }

  /** Says how many there were. */
  async revoke({ agent, opens, name }: WhichTokens): Promise<number> {
    let revoked = 0;
    await this.#change(entries => {
      const kept = entries.filter(
        entry =>
          entry.agent !== agent ||
          entry.opens !== opens ||
          (name !== undefined && entry.name?.toLowerCase() !== name.toLowerCase()),
      );
      revoked = entries.length - kept.length;
      return kept;
    });
    return revoked;
  }

  /** Those of the file that are good, oldest first. */
  async list(): Promise<ListedToken[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return stillGood(readTokens(text).tokens).map(({ sha256, ...rest }) => ({ id: shortId(sha256), ...rest }));
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
    // What has ended is written down no longer than until the next change.
    await this.edit(document => ({ ...document, tokens: edit(stillGood(document.tokens)) }));
    await this.#share?.();
  }

  #refresh(): void {
    const now = performance.now();
    if (this.#seenAt > 0 && now - this.#seenAt < LOOK_EVERY_MS) return;
    this.#seenAt = now;
    if (!this.#readAnew() && this.#nextEnd > Date.now()) return;
    const before = this.#stored;
    const good = stillGood(this.#entries);
    this.#nextEnd = Math.min(...good.map(endOf));
    this.#stored = new Map(
      good.flatMap(entry => {
        const bearer = bearerIn(entry);
        return bearer ? [[entry.sha256, bearer]] : [];
      }),
    );
    const revoked = new Map([...before].filter(([digest]) => !this.#stored.has(digest)));
    if (revoked.size > 0) this.#onRevoked(revoked, this.#stored);
  }

  /** False where the file says what it said before, or cannot be read: then the tokens that were good stay so until it can. */
  #readAnew(): boolean {
    const { version } = this;
    if (version === this.#version) return false;
    try {
      this.#entries = version ? readTokens(readFileSync(this.#file, 'utf8')).tokens : [];
    } catch {
      return false;
    }
    this.#version = version;
    return true;
  }
}

function stillGood(entries: readonly TokenEntry[]): TokenEntry[] {
  const now = Date.now();
  return entries.filter(entry => endOf(entry) > now);
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
