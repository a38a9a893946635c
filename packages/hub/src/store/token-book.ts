/** The tokens of one data directory. Only their hashes are kept: a copy of the file opens nothing. */
import { hash, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock, writePrivateFile } from '@junctor/core/inside';

/** A person's token opens everything, an agent's only its own doors, a server's only that of the server. */
export type Bearer =
  | { readonly kind: 'person' }
  /** Another hub on the same database: it may read what this one knows. */
  | { readonly kind: 'hub' }
  /** With a session: its token was made for one run, and all its connections are that session. */
  | { readonly kind: 'agent'; readonly agent: string; readonly session?: string }
  | { readonly kind: 'server'; readonly server: string };

interface TokenEntry {
  readonly sha256: string;
  readonly agent?: string;
  readonly session?: string;
  /** What its owner calls it. */
  readonly name?: string;
  readonly created: string;
}

/** A token as people see it once it was made: nothing here opens anything. */
export interface ListedToken extends Omit<TokenEntry, 'sha256'> {
  readonly id: string;
}

/** How long a revoked token may still pass. Looking at the file costs a system call, so not every request does. */
const LOOK_EVERY_MS = 250;

/** So many are kept at hand: working one out anew costs a request a twentieth of its time. */
const MAX_DIGESTS = 1000;

export function newToken(): string {
  return `jct_${randomBytes(32).toString('base64url')}`;
}

export class TokenBook {
  readonly #file: string;
  readonly #own = new Map<string, Bearer>();
  #stored = new Map<string, Bearer>();
  /** Of good tokens alone, so that nobody can fill it. */
  readonly #digests = new Map<string, string>();
  #seenAt = 0;
  #version = '';

  constructor(dataDirectory: string) {
    this.#file = join(dataDirectory, 'hub-tokens.json');
  }

  /** Accepts a person token that is kept nowhere but in this process. */
  acceptPerson(token: string): void {
    this.#own.set(sha256(token), { kind: 'person' });
  }

  /** Accepts what other hubs on the same database show. */
  acceptHub(pass: string): void {
    this.#own.set(sha256(pass), { kind: 'hub' });
  }

  /** `session`: for one run of the agent; all connections with such a token are one session. */
  async issue(
    agent?: string,
    { session, name }: { readonly session?: string | undefined; readonly name?: string | undefined } = {},
  ): Promise<string> {
    const token = newToken();
    const whose = { ...(agent ? { agent } : {}), ...(session ? { session } : {}), ...(name ? { name } : {}) };
    const entry: TokenEntry = { sha256: sha256(token), ...whose, created: new Date().toISOString() };
    await this.#change(entries => [...entries, entry]);
    return token;
  }

  /** Revokes the tokens of one agent, or every person's; says how many there were. */
  async revoke(agent?: string): Promise<number> {
    let revoked = 0;
    await this.#change(entries => {
      const kept = entries.filter(entry => entry.agent !== agent);
      revoked = entries.length - kept.length;
      return kept;
    });
    return revoked;
  }

  /** Those of the file, oldest first. */
  async list(): Promise<ListedToken[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return entriesOf(text).map(({ sha256, ...rest }) => ({ id: shortId(sha256), ...rest }));
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

  async #change(edit: (entries: readonly TokenEntry[]) => readonly TokenEntry[]): Promise<void> {
    await withFileLock(this.#file, async () => {
      const text = await readFile(this.#file, 'utf8').catch(() => '');
      await writePrivateFile(this.#file, `${JSON.stringify({ version: 1, tokens: edit(entriesOf(text)) }, null, 2)}\n`);
    });
    this.#seenAt = 0;
  }

  #refresh(): void {
    const now = performance.now();
    if (this.#seenAt > 0 && now - this.#seenAt < LOOK_EVERY_MS) return;
    this.#seenAt = now;
    const found = statSync(this.#file, { throwIfNoEntry: false });
    const version = found ? `${found.ino}:${found.mtimeMs}:${found.size}` : '';
    if (version === this.#version) return;
    let entries: TokenEntry[];
    try {
      entries = version ? entriesOf(readFileSync(this.#file, 'utf8')) : [];
    } catch {
      return; // half written or spoilt: the tokens that were good stay so until it can be read again
    }
    this.#version = version;
    this.#stored = new Map(entries.map(entry => [entry.sha256, bearerIn(entry)]));
  }
}

function bearerIn({ agent, session }: TokenEntry): Bearer {
  if (agent === undefined) return { kind: 'person' };
  return { kind: 'agent', agent, ...(session === undefined ? {} : { session }) };
}

function entriesOf(text: string): TokenEntry[] {
  if (text === '') return [];
  return (JSON.parse(text) as { tokens?: TokenEntry[] }).tokens ?? [];
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
