/**
 * `mcp-auth.json` in the data directory. Only its owner may read it; each change is one step under a lock, so that two
 * processes never lose each other's tokens; what we do not know in it stays as it is.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../../base/atomic-file.ts';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import { withFileLock } from '../../base/file-lock.ts';
import type { Redactor } from '../../base/redact.ts';
import { sha256 } from '../../base/sha256.ts';
import type { TokenEntry } from './token-entry.ts';

interface Content {
  readonly version?: unknown;
  readonly servers?: Readonly<Record<string, TokenEntry>>;
}

/** Longer than an authorization server is waited for: whoever waits here gets the token that is being fetched. */
const RENEWAL_PATIENCE_MS = 60_000;

export class TokenFile {
  readonly path: string;
  readonly #redactor: Redactor;

  constructor(dataDirectory: string, redactor: Redactor) {
    this.path = join(dataDirectory, 'mcp-auth.json');
    this.#redactor = redactor;
  }

  async entries(): Promise<ReadonlyMap<string, TokenEntry>> {
    const entries = Object.entries((await this.#read()).servers ?? {}).filter(([, entry]) => isObject(entry));
    for (const [, entry] of entries) this.#learn(entry);
    return new Map(entries);
  }

  async get(name: string): Promise<TokenEntry | undefined> {
    return (await this.entries()).get(name);
  }

  /** Puts what `edit` makes of an entry in its place; undefined removes it. */
  async change(
    name: string,
    edit: (entry: TokenEntry | undefined) => TokenEntry | undefined,
  ): Promise<TokenEntry | undefined> {
    return withFileLock(this.path, async () => {
      const content = await this.#read();
      const { [name]: old, ...others } = content.servers ?? {};
      const entry = edit(isObject(old) ? old : undefined);
      if (entry === old) return entry;
      if (entry) this.#learn(entry);
      const servers = entry ? { ...content.servers, [name]: entry } : others;
      await writePrivateFile(this.path, `${JSON.stringify({ ...content, version: 1, servers }, null, 2)}\n`);
      return entry;
    });
  }

  /**
   * Runs `work` while nobody else renews this entry, on any thread or in any process. A refresh token can be spent once:
   * whoever comes later finds the new tokens in the file. Other entries and other edits go on meanwhile.
   */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    const mark = sha256(name).slice(0, 16);
    return withFileLock(`${this.path}.${mark}`, work, { patienceMs: RENEWAL_PATIENCE_MS });
  }

  async #read(): Promise<Content> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw this.#unreadable(sentenceOf(error), error);
    }
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch (error) {
      // What the parser says would quote the file, and with it a token.
      throw this.#unreadable('it is not valid JSON', error instanceof Error ? error.name : undefined);
    }
    if (!isObject(content) || !isObject(content.servers ?? {})) throw this.#unreadable("it has no object 'servers'");
    if (content.version !== undefined && content.version !== 1) {
      throw this.#unreadable(`its version is ${JSON.stringify(content.version)}, and Junctor knows version 1`);
    }
    return content;
  }

  #unreadable(why: string, cause?: unknown): JunctorError {
    return new JunctorError('config_unreadable', `The file of sign-ins, ${this.path}, cannot be read.`, {
      why,
      hint: 'mend it, or move it away and sign in again',
      cause,
    });
  }

  #learn({ access_token, refresh_token, client_secret }: TokenEntry): void {
    for (const secret of [access_token, refresh_token, client_secret]) {
      if (typeof secret === 'string') this.#redactor.learn(secret);
    }
  }
}

function isObject(value: unknown): value is Record<string, never> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
