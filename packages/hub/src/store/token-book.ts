/** The tokens of one data directory. Only their hashes are kept: a copy of the file opens nothing. */
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock, writePrivateFile } from '@junctor/core/internal';
import { type Bearer, bearerIn, endOf } from './bearer.ts';
import { goodTokens, shortId, tokenDigest } from './good-tokens.ts';
import { readTokens, type TokenDocument, type TokenEntry, tokensText } from './token-document.ts';
import { BY_COMMAND, makerDigest, type TokenMaker } from './token-maker.ts';
import {
  type ListedToken,
  listed,
  newEntry,
  newToken,
  rotated,
  TOKEN_PREFIX,
  type TokenTerms,
  type WhichTokens,
} from './token-terms.ts';

/** Told which tokens are good no more, and which still are; by their digests. */
export type RevokedListener = (revoked: ReadonlyMap<string, Bearer>, good: ReadonlyMap<string, Bearer>) => void;

/** How long a revoked token may still pass. Looking at the file costs a system call, so not every request does. */
const LOOK_EVERY_MS = 250;

/** How long a token that nobody shows any more may be revoked before what was opened with it ends: a hub at rest stays at rest. */
const NOTICE_EVERY_MS = 1000;

/** So many are kept at hand: working one out anew costs a request a twentieth of its time. */
const MAX_DIGESTS = 1000;

export class TokenBook {
  readonly #file: string;
  readonly #own = new Map<string, Bearer>();
  /** Stored tokens that were shown since the last `takeUsed`. */
  readonly #used = new Set<string>();
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

  /** Accepts a token that is kept nowhere but in this process. */
  accept(token: string, bearer: Bearer): void {
    this.#own.set(tokenDigest(token), bearer);
  }

  /** Whether the digest is that of a token kept nowhere but in this process. */
  isOwn(digest: string): boolean {
    return this.#own.has(digest);
  }

  /** Whether the stored token of this digest is good now. */
  isGood(digest: string): boolean {
    this.#refresh();
    return this.#stored.has(digest);
  }

  /** The digests of stored tokens that were shown since the last time. */
  takeUsed(): string[] {
    const used = [...this.#used].filter(digest => this.#stored.has(digest));
    this.#used.clear();
    return used;
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

  /** Makes a token. */
  async issue(agent?: string, terms: TokenTerms = {}): Promise<string> {
    const token = newToken();
    await this.#change(entries => [...entries, newEntry(token, agent, terms)]);
    return token;
  }

  /** Makes a new token in place of a listed one, which opens nothing more. Undefined where none is listed under this id. */
  async rotate(id: string, maker: TokenMaker = BY_COMMAND): Promise<string | undefined> {
    const token = newToken();
    let found = false;
    await this.#change(entries => {
      const old = entries.find(entry => shortId(entry.sha256) === id);
      found = old !== undefined;
      return old ? rotated(entries, old, token, maker) : entries;
    });
    return found ? token : undefined;
  }

  /** Revokes them with all that they made. Says how many that were. */
  async revoke({ agent, opens, name }: WhichTokens): Promise<number> {
    return this.#revoke(
      entry =>
        entry.agent === agent &&
        entry.opens === opens &&
        (name === undefined || entry.name?.toLowerCase() === name.toLowerCase()),
    );
  }

  /** Those of the file that are good, oldest first. `uses`: when each was last used, by digest. */
  async list(uses: ReadonlyMap<string, number> = new Map()): Promise<ListedToken[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return goodTokens(readTokens(text).tokens).map(entry => listed(entry, uses.get(entry.sha256)));
  }

  /** Revokes the one that is listed under this id, with all that it made. Says how many that were. */
  async revokeListed(id: string): Promise<number> {
    return this.#revoke(entry => shortId(entry.sha256) === id);
  }

  /** Revokes what somebody made, with all that this made: the id of a token, or the name of its owner. */
  async revokeMadeBy(maker: string): Promise<number> {
    return this.#revoke(({ made_by, made_by_name }) => {
      const digest = makerDigest(made_by);
      if (digest !== undefined && shortId(digest) === maker) return true;
      return made_by === maker || made_by_name?.toLowerCase() === maker.toLowerCase();
    });
  }

  /** Revokes one token, known by its digest. */
  async withdraw(digest: string): Promise<void> {
    await this.#change(entries => entries.filter(entry => entry.sha256 !== digest));
  }

  bearerOf(token: string): Bearer | undefined {
    this.#refresh();
    const digest = this.#digests.get(token) ?? tokenDigest(token);
    const known = this.#own.get(digest) ?? this.#stored.get(digest);
    if (known) {
      this.#used.add(digest);
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
    if (known || !this.#share || !token.startsWith(TOKEN_PREFIX)) return known;
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
    // What has ended is written down no longer than until the next change; what a revoked token made goes with it.
    await this.edit(document => ({ ...document, tokens: goodTokens(edit(goodTokens(document.tokens))) }));
    await this.#share?.();
  }

  async #revoke(isMeant: (entry: TokenEntry) => boolean): Promise<number> {
    let revoked = 0;
    await this.#change(entries => {
      const kept = goodTokens(entries.filter(entry => !isMeant(entry)));
      revoked = entries.length - kept.length;
      return kept;
    });
    return revoked;
  }

  #refresh(): void {
    const now = performance.now();
    if (this.#seenAt > 0 && now - this.#seenAt < LOOK_EVERY_MS) return;
    this.#seenAt = now;
    if (!this.#readAnew() && this.#nextEnd > Date.now()) return;
    const before = this.#stored;
    const good = goodTokens(this.#entries);
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
