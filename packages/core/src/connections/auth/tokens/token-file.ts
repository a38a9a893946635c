/**
 * `mcp-auth.json` in the data directory. Only its owner may read it; each change is one step under a lock, so that two
 * processes never lose each other's tokens; what we do not know in it stays as it is.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JunctorError, sentenceOf } from '../../../base/error.ts';
import { writePrivateFile } from '../../../base/files/atomic-file.ts';
import { withFileLock } from '../../../base/files/file-lock.ts';
import { isObject } from '../../../base/json/is-object.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { TokenEntry } from './token-entry.ts';
import { RENEWAL_PATIENCE_MS, type TokenShelf } from './token-shelf.ts';

interface Content {
  readonly version?: unknown;
  readonly servers?: Readonly<Record<string, TokenEntry>>;
}

export class TokenFile implements TokenShelf {
  readonly path: string;

  constructor(dataDirectory: string) {
    this.path = join(dataDirectory, 'mcp-auth.json');
  }

  async entries(): Promise<ReadonlyMap<string, TokenEntry>> {
    return new Map(Object.entries((await this.#read()).servers ?? {}).filter(([, entry]) => isObject(entry)));
  }

  async get(name: string): Promise<TokenEntry | undefined> {
    return (await this.entries()).get(name);
  }

  async change(
    name: string,
    edit: (entry: TokenEntry | undefined) => TokenEntry | undefined,
  ): Promise<TokenEntry | undefined> {
    return withFileLock(this.path, async () => {
      const content = await this.#read();
      const { [name]: old, ...others } = content.servers ?? {};
      const entry = edit(isObject(old) ? old : undefined);
      if (entry === old) return entry;
      const servers = entry ? { ...content.servers, [name]: entry } : others;
      await writePrivateFile(this.path, `${JSON.stringify({ ...content, version: 1, servers }, null, 2)}\n`);
      return entry;
    });
  }

  /** On any thread or in any process. */
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
}
