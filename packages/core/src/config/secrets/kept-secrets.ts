/**
 * The secrets of one data directory. New values go to the OS keyring where it answers, else into the encrypted file; each
 * secret remembers where it lies, so one that was set without a keyring stays readable once there is one.
 */
import { createHash } from 'node:crypto';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import type { Log } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import type { Keyring, KeyringSearch } from './keyring.ts';
import { openSealed, withoutSecret, withSealed } from './sealed-secrets.ts';
import type { SecretKeys } from './secret-key.ts';
import { checkSecret, type SecretPlace, type SecretStore } from './secret-store.ts';
import type { SecretsDocument, SecretsFile } from './secrets-file.ts';

export interface SecretsParts {
  readonly file: SecretsFile;
  readonly keys: SecretKeys;
  readonly findKeyring: () => Promise<KeyringSearch>;
  readonly log: Log | undefined;
}

export interface ListedSecret {
  readonly name: string;
  readonly store: SecretPlace;
}

export class KeptSecrets implements SecretStore {
  readonly #parts: SecretsParts;
  #search: Promise<KeyringSearch> | undefined;

  constructor(parts: SecretsParts) {
    this.#parts = parts;
  }

  async get(name: string): Promise<string | undefined> {
    const document = await this.#parts.file.read();
    const secret = document.secrets.find(one => one.name === name);
    if (!secret) return undefined;
    if (secret.store === 'file') return openSealed(document, secret, this.#parts.keys);
    const keyring = await this.#neededKeyring(name);
    return keyring.get(accountOf(document, name)).catch(error => {
      throw refused('give', name, sentenceOf(error), error);
    });
  }

  async set(name: string, value: string): Promise<void> {
    checkSecret(name, value);
    const search = await this.#findKeyring();
    await this.#parts.file.edit(async document => {
      if (search.kind === 'found') return withKeyringSecret(document, name, value, search.keyring);
      if (isInKeyring(document, name)) {
        this.#parts.log?.warn(`the earlier value of secret '${name}' stays in the OS keyring: ${search.why}`);
      }
      return withSealed(document, { name, value }, this.#parts.keys);
    });
  }

  async remove(name: string): Promise<boolean> {
    if (!(await this.list()).includes(name)) return false;
    let removed = false;
    await this.#parts.file.edit(async document => {
      removed = document.secrets.some(secret => secret.name === name);
      await this.#removeFromKeyring(document, name);
      return withoutSecret(document, name);
    });
    return removed;
  }

  async list(): Promise<string[]> {
    return (await this.listPlaces()).map(({ name }) => name);
  }

  async listPlaces(): Promise<ListedSecret[]> {
    const { secrets } = await this.#parts.file.read();
    return secrets.map(({ name, store }) => ({ name, store }));
  }

  /** Where the next new secret goes. */
  async place(): Promise<SecretPlace> {
    return (await this.#findKeyring()).kind === 'found' ? 'keyring' : 'file';
  }

  async #removeFromKeyring(document: SecretsDocument, name: string): Promise<void> {
    const search = await this.#findKeyring();
    // Without a keyring a sealed secret can still go. With one it may hold an earlier value, which goes too.
    if (search.kind === 'absent' && !isInKeyring(document, name)) return;
    const keyring = await this.#neededKeyring(name);
    await keyring.remove(accountOf(document, name)).catch(error => {
      throw refused('remove', name, sentenceOf(error), error);
    });
  }

  async #neededKeyring(name: string): Promise<Keyring> {
    const search = await this.#findKeyring();
    if (search.kind === 'found') return search.keyring;
    throw new JunctorError('secret_unreadable', `Secret '${name}' lies in the OS keyring, which cannot be reached.`, {
      why: search.why,
      hint: `run this where the keyring is, or keep the secret in the encrypted file: junctor secret set ${name}`,
    });
  }

  #findKeyring(): Promise<KeyringSearch> {
    this.#search ??= this.#parts.findKeyring().then(search => {
      if (search.kind === 'absent') this.#parts.log?.debug('no OS keyring: secrets go to the encrypted file', search);
      return search;
    });
    return this.#search;
  }
}

async function withKeyringSecret(
  document: SecretsDocument,
  name: string,
  value: string,
  keyring: Keyring,
): Promise<SecretsDocument> {
  const redactor = new Redactor();
  redactor.learn(value);
  // The value first: a crash in between leaves a name that is not listed, never a listed name without its value.
  await keyring.set(accountOf(document, name), value).catch(error => {
    throw refused('keep', name, redactor.mask(sentenceOf(error)));
  });
  const rest = withoutSecret(document, name);
  return { ...rest, secrets: [...rest.secrets, { name, store: 'keyring' }] };
}

function isInKeyring(document: SecretsDocument, name: string): boolean {
  return document.secrets.some(secret => secret.name === name && secret.store === 'keyring');
}

/** Readable in the keyring's own window; the hash keeps apart data directories, and names that differ only in case. */
function accountOf(document: SecretsDocument, name: string): string {
  const hash = createHash('sha256').update(`${document.id} ${name}`).digest('hex');
  return `${name} (${hash.slice(0, 16)})`;
}

function refused(deed: 'give' | 'keep' | 'remove', name: string, why: string, cause?: unknown): JunctorError {
  const elsewhere = `; JUNCTOR_KEYRING=off junctor secret set ${name} keeps it in the encrypted file`;
  return new JunctorError('secret_unreadable', `The OS keyring did not ${deed} secret '${name}'.`, {
    why,
    hint: `unlock the keyring and try again${deed === 'remove' ? '' : elsewhere}`,
    cause,
  });
}
