/**
 * `<data>/secrets.json`: the names of all secrets and their sealed values. This file owns what stands on disk; what a box
 * contains is none of its business.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import { writePrivateFile } from '../../base/files/atomic-file.ts';
import { withFileLock } from '../../base/files/file-lock.ts';

const KeyRecord = z.strictObject({
  salt: z.string(),
  /** A known word under this key: tells a wrong key from an altered secret. */
  check: z.string(),
});

const StoredSecret = z.discriminatedUnion('store', [
  // How earlier versions kept it: the value itself in the keyring. It moves into the file when it is read.
  z.strictObject({ name: z.string(), store: z.literal('keyring') }),
  z.strictObject({
    name: z.string(),
    store: z.literal('file'),
    key: z.enum(['keyring', 'passphrase', 'key_file']),
    box: z.string(),
  }),
]);

const SecretsDocument = z.strictObject({
  version: z.literal(1),
  /** Random. Binds boxes to this file, and tells its key in the keyring from those of another data directory. */
  id: z.string(),
  keys: z.strictObject({
    keyring: z.optional(KeyRecord),
    passphrase: z.optional(KeyRecord),
    key_file: z.optional(KeyRecord),
  }),
  // A list, since a name such as `__proto__` is no safe key of an object.
  secrets: z.array(StoredSecret),
});

export type KeyRecord = z.infer<typeof KeyRecord>;
export type StoredSecret = z.infer<typeof StoredSecret>;
export type SecretsDocument = z.infer<typeof SecretsDocument>;

export class SecretsFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** An empty document where there is no file yet. */
  async read(): Promise<SecretsDocument> {
    const text = await readFile(this.path, 'utf8').catch(error => {
      if (error.code === 'ENOENT') return undefined;
      throw this.#unreadable(sentenceOf(error), error);
    });
    if (text === undefined) {
      return { version: 1, id: randomBytes(16).toString('base64url'), keys: {}, secrets: [] };
    }
    const parsed = SecretsDocument.safeParse(this.#json(text));
    if (!parsed.success) throw this.#unreadable(z.prettifyError(parsed.error));
    return parsed.data;
  }

  /** Changes the document while no other process does. */
  async edit(change: (document: SecretsDocument) => Promise<SecretsDocument>): Promise<void> {
    await withFileLock(this.path, async () => {
      const document = await change(await this.read());
      const secrets = document.secrets.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      await writePrivateFile(this.path, `${JSON.stringify({ ...document, secrets }, null, 2)}\n`);
    });
  }

  #json(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#unreadable('it is not JSON', error);
    }
  }

  #unreadable(why: string, cause?: unknown): JunctorError {
    return new JunctorError('secret_unreadable', `The secrets file ${this.path} cannot be read.`, {
      why,
      hint: 'restore it from a backup; if there is none, remove it and set your secrets again',
      cause,
    });
  }
}
