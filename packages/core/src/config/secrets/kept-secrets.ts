/**
 * The secrets of one data directory. Values are sealed in the encrypted file; each remembers which key it was sealed with,
 * so one that was set without a keyring stays readable once there is one.
 */
import { JunctorError, sentenceOf } from '../../base/error.ts';
import type { Log } from '../../base/log/log.ts';
import { type FindKeyring, forgetKeyringKey } from './keyring-key.ts';
import { giveUpKeyringValue, isKeyringValue, readKeyringValue } from './keyring-values.ts';
import { openSealed, withoutSecret, withSealed } from './sealed-secrets.ts';
import type { KeyKind, SecretKeys } from './secret-key.ts';
import { checkSecret, type SecretPlace, type SecretStore } from './secret-store.ts';
import type { SecretsDocument, SecretsFile } from './secrets-file.ts';

export interface SecretsParts {
  readonly file: SecretsFile;
  readonly keys: SecretKeys;
  readonly findKeyring: FindKeyring;
  readonly log: Log | undefined;
}

export interface ListedSecret {
  readonly name: string;
  readonly store: SecretPlace;
  /** What it is sealed with; nothing where the keyring holds the value itself, as earlier versions had it. */
  readonly key?: KeyKind;
}

export class KeptSecrets implements SecretStore {
  readonly #parts: SecretsParts;

  constructor(parts: SecretsParts) {
    this.#parts = parts;
  }

  async get(name: string): Promise<string | undefined> {
    const { file, keys, findKeyring } = this.#parts;
    const document = await file.read();
    const secret = document.secrets.find(one => one.name === name);
    if (!secret) return undefined;
    if (secret.store === 'file') return openSealed(document, secret, keys);
    const value = await readKeyringValue(document, name, findKeyring);
    if (value !== undefined) await this.#moveIntoFile(name, value);
    return value;
  }

  async set(name: string, value: string): Promise<void> {
    checkSecret(name, value);
    const { file, keys } = this.#parts;
    let earlier: SecretsDocument | undefined;
    await file.edit(async document => {
      earlier = document;
      return withSealed(document, { name, value }, keys);
    });
    if (earlier) await this.#giveUpEarlier(earlier, name);
  }

  async remove(name: string): Promise<boolean> {
    if (!(await this.list()).includes(name)) return false;
    let removed = false;
    await this.#parts.file.edit(async document => {
      removed = document.secrets.some(secret => secret.name === name);
      if (isKeyringValue(document, name)) await giveUpKeyringValue(document, name, this.#parts.findKeyring);
      const rest = withoutSecret(document, name);
      if (document.keys.keyring && !rest.keys.keyring) await this.#forgetKey(document.id);
      return rest;
    });
    return removed;
  }

  async list(): Promise<string[]> {
    return (await this.listPlaces()).map(({ name }) => name);
  }

  async listPlaces(): Promise<ListedSecret[]> {
    const { secrets } = await this.#parts.file.read();
    return secrets.map(secret => {
      const { name, store } = secret;
      return secret.store === 'file' ? { name, store, key: secret.key } : { name, store };
    });
  }

  /** What the next new secret is sealed with. */
  nextKey(): Promise<KeyKind> {
    return this.#parts.keys.preferred();
  }

  /** A person asked for a value, not for a move: where the file cannot be written, the value is given all the same. */
  async #moveIntoFile(name: string, value: string): Promise<void> {
    const { file, keys, log } = this.#parts;
    let moved: SecretsDocument | undefined;
    try {
      await file.edit(async document => {
        if (!isKeyringValue(document, name)) return document;
        moved = document;
        return withSealed(document, { name, value }, keys);
      });
      if (moved) await this.#giveUpEarlier(moved, name);
    } catch (error) {
      log?.debug(`secret '${name}' stays in the OS keyring for now: ${sentenceOf(error)}`);
    }
  }

  /** After the file is written: a crash in between leaves the value twice, never nowhere. */
  async #giveUpEarlier(document: SecretsDocument, name: string): Promise<void> {
    if (!isKeyringValue(document, name)) return;
    await giveUpKeyringValue(document, name, this.#parts.findKeyring).catch(error => {
      this.#parts.log?.warn(`the earlier value of secret '${name}' stays in the OS keyring: ${reasonOf(error)}`);
    });
  }

  /** Inside the edit: a process that sets a secret at the same time makes its key after this, never before. */
  async #forgetKey(fileId: string): Promise<void> {
    const search = await this.#parts.findKeyring();
    if (search.kind === 'absent') return;
    await forgetKeyringKey(search.keyring, fileId).catch(error =>
      this.#parts.log?.debug(`the key of the secrets file stays in the OS keyring: ${sentenceOf(error)}`),
    );
  }
}

function reasonOf(error: unknown): string {
  return error instanceof JunctorError && error.why ? error.why : sentenceOf(error);
}
