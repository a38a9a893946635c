/** `grants.json` in the data directory: what was allowed for always. Its owner's alone, changed by one at a time. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import { writePrivateFile } from '../../base/files/atomic-file.ts';
import { withFileLock } from '../../base/files/file-lock.ts';
import type { Grant } from './grant.ts';

/** Where grants for always are kept. */
export interface GrantShelf {
  /** All of them, as they are now. */
  read(): Promise<readonly Grant[]>;
  /** Nobody else changes them meanwhile. */
  change(edit: (grants: readonly Grant[]) => readonly Grant[]): Promise<void>;
}

export class GrantsFile implements GrantShelf {
  /** The file itself, for people who look for it. */
  readonly path: string;
  /** What was read last, and of which state of the file. */
  #last: { readonly state: string; readonly grants: readonly Grant[] } | undefined;

  constructor(dataDirectory: string) {
    this.path = join(dataDirectory, 'grants.json');
  }

  async read(): Promise<readonly Grant[]> {
    const state = await this.#state();
    if (state === undefined) return [];
    if (this.#last?.state === state) return this.#last.grants;
    const grants = parse(this.path, await this.#text());
    this.#last = { state, grants };
    return grants;
  }

  async change(edit: (grants: readonly Grant[]) => readonly Grant[]): Promise<void> {
    if ((await this.#state()) === undefined && edit([]).length === 0) return;
    await withFileLock(this.path, async () => {
      const grants = edit((await this.#state()) === undefined ? [] : parse(this.path, await this.#text()));
      await writePrivateFile(this.path, `${JSON.stringify({ version: 1, grants }, null, 2)}\n`);
    });
  }

  /** Every writer puts a new file in its place: another one is another number. */
  async #state(): Promise<string | undefined> {
    try {
      const { ino, mtimeMs, size } = await stat(this.path);
      return `${ino} ${mtimeMs} ${size}`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unreadable(this.path, error);
    }
  }

  async #text(): Promise<string> {
    return readFile(this.path, 'utf8').catch(error => {
      throw unreadable(this.path, error);
    });
  }
}

function parse(file: string, text: string): readonly Grant[] {
  try {
    const { grants } = JSON.parse(text) as { grants?: unknown };
    if (Array.isArray(grants) && grants.every(isGrant)) return grants;
  } catch (error) {
    throw unreadable(file, error);
  }
  throw unreadable(file, new Error('it holds no list of grants'));
}

function isGrant(value: unknown): value is Grant {
  const grant = (value ?? {}) as Record<string, unknown>;
  const texts = ['id', 'server', 'tool', 'server_fingerprint', 'tool_fingerprint', 'granted_at'];
  const optional = ['when', 'rule', 'agent'].every(key => grant[key] === undefined || typeof grant[key] === 'string');
  return texts.every(key => typeof grant[key] === 'string') && optional && typeof grant.definition === 'object';
}

function unreadable(file: string, error: unknown): JunctorError {
  return new JunctorError('config_unreadable', `The file of what you allowed for always, ${file}, is not valid.`, {
    why: sentenceOf(error),
    hint: 'remove it: you are asked again for what you still want to allow',
    cause: error,
  });
}
