/**
 * The keys of the encrypted file: from the OS keyring, else from JUNCTOR_SECRET_KEY, else from a key file that only its
 * owner may read.
 */
import { hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import { writePrivateFile } from '../../base/files/atomic-file.ts';
import { withFileLock } from '../../base/files/file-lock.ts';
import type { Log } from '../../base/log/log.ts';
import { type FindKeyring, prepareKeyringKey, readKeyringKey } from './keyring-key.ts';

export type KeyKind = 'keyring' | 'passphrase' | 'key_file';

/** Which key: of this kind, for the secrets file with this id. */
export interface KeyChoice {
  readonly kind: KeyKind;
  readonly fileId: string;
}

export interface KeySources {
  readonly findKeyring: FindKeyring;
  /** What JUNCTOR_SECRET_KEY holds. */
  readonly passphrase: string | undefined;
  readonly keyFile: string;
  readonly log: Log | undefined;
}

const KEY_BYTES = 32;

/** Guessing a passphrase costs 32 MiB and about a quarter of a second a try. Changing this needs a new file version. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };

export class SecretKeys {
  readonly #sources: KeySources;
  /** Deriving is slow on purpose, so it is done once a salt. */
  readonly #derived = new Map<string, Promise<Buffer>>();

  constructor(sources: KeySources) {
    this.#sources = sources;
  }

  /** What new secrets are sealed with. */
  async preferred(): Promise<KeyKind> {
    const { findKeyring, passphrase } = this.#sources;
    if ((await findKeyring()).kind === 'found') return 'keyring';
    return passphrase ? 'passphrase' : 'key_file';
  }

  /** What several machines seal with: the only one of the keys that they can have in common. */
  async shared(): Promise<KeyKind> {
    return this.#sources.passphrase ? 'passphrase' : this.preferred();
  }

  get keyFile(): string {
    return this.#sources.keyFile;
  }

  /** Why the keyring cannot be asked; undefined where it can. */
  async keyringAbsence(): Promise<string | undefined> {
    const search = await this.#sources.findKeyring();
    return search.kind === 'absent' ? search.why : undefined;
  }

  /** Undefined where the source is missing. */
  async derive({ kind, fileId }: KeyChoice, salt: string): Promise<Buffer | undefined> {
    const { findKeyring, passphrase, keyFile, log } = this.#sources;
    if (kind === 'keyring') return spread(await readKeyringKey(findKeyring, fileId), salt);
    if (kind === 'key_file') return spread(await readKeyFile(keyFile, log), salt);
    if (!passphrase) return undefined;
    const known = this.#derived.get(salt) ?? stretch(passphrase, salt);
    this.#derived.set(salt, known);
    return known;
  }

  /** Makes the key where there is none yet. Of two processes at once, one makes it and both use it. */
  async prepare({ kind, fileId }: KeyChoice): Promise<void> {
    const { findKeyring, keyFile, log } = this.#sources;
    if (kind === 'keyring') return prepareKeyringKey(findKeyring, fileId);
    if (kind === 'passphrase' || (await readKeyFile(keyFile, log))) return;
    await withFileLock(keyFile, async () => {
      if (await readKeyFile(keyFile, log)) return;
      await writePrivateFile(keyFile, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
    });
  }
}

/** A random key needs no stretching; the salt makes another key of it for each file. */
function spread(key: Buffer | undefined, salt: string): Buffer | undefined {
  return key && Buffer.from(hkdfSync('sha256', key, salt, 'junctor secrets', KEY_BYTES));
}

async function readKeyFile(path: string, log: Log | undefined): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return undefined;
    throw new JunctorError('secret_unreadable', `The key file ${path} cannot be read.`, {
      why: sentenceOf(error),
      hint: 'make it readable for you alone: mode 0600, and yours',
      cause: error,
    });
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== KEY_BYTES) {
    throw new JunctorError('secret_unreadable', `The key file ${path} does not hold a key.`, {
      why: `expected ${KEY_BYTES} bytes in base64url, found ${key.length}`,
      hint: 'restore it from a backup; if there is none, remove it and set your secrets again',
    });
  }
  await warnIfShared(path, log);
  return key;
}

/** Windows has no such bits: there the folder's own protection counts. */
async function warnIfShared(path: string, log: Log | undefined): Promise<void> {
  if (process.platform === 'win32' || !log) return;
  const { mode } = await stat(path);
  if (mode & 0o077) log.warn(`others may read the key of your secrets: chmod 600 ${path}`);
}

function stretch(passphrase: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, KEY_BYTES, SCRYPT, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
