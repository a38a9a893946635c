import { dirname, join } from 'node:path';
import { JunctorError } from '../../base/error.ts';
import type { Log } from '../../base/log/log.ts';
import { type Surroundings, userConfigPath } from '../sources/places.ts';
import { KeptSecrets } from './kept-secrets.ts';
import { type KeyringSearch, openKeyring } from './keyring.ts';
import type { FindKeyring } from './keyring-key.ts';
import { SecretKeys } from './secret-key.ts';
import { SecretsFile } from './secrets-file.ts';

export interface SecretsOptions {
  readonly surroundings: Surroundings;
  readonly dataDirectory: string;
  readonly log?: Log | undefined;
  /** How the keyring is looked for; the operating system's own unless a test brings one. */
  readonly findKeyring?: FindKeyring | undefined;
}

/** The secrets of one data directory. The keyring is looked for once, when a secret first needs it, and not before. */
export async function openSecrets(options: SecretsOptions): Promise<KeptSecrets> {
  const { dataDirectory, log } = options;
  const { keys, findKeyring } = await openKeys(options);
  return new KeptSecrets({ file: new SecretsFile(join(dataDirectory, 'secrets.json')), keys, findKeyring, log });
}

/** The keys that secrets are sealed with, for whoever keeps something sealed elsewhere. */
export async function openSecretKeys(options: Omit<SecretsOptions, 'dataDirectory'>): Promise<SecretKeys> {
  return (await openKeys(options)).keys;
}

async function openKeys(options: Omit<SecretsOptions, 'dataDirectory'>): Promise<{
  readonly keys: SecretKeys;
  readonly findKeyring: FindKeyring;
}> {
  const { surroundings, log } = options;
  const wanted = keyringWanted(surroundings.env.JUNCTOR_KEYRING);
  const findKeyring = once(wanted ? (options.findKeyring ?? openKeyring) : forbidden, log);
  const passphrase = surroundings.env.JUNCTOR_SECRET_KEY;
  const keyFile = join(dirname(await userConfigPath(surroundings)), 'secret.key');
  return { keys: new SecretKeys({ findKeyring, passphrase, keyFile, log }), findKeyring };
}

function once(find: FindKeyring, log: Log | undefined): FindKeyring {
  let search: Promise<KeyringSearch> | undefined;
  return () => {
    search ??= find().then(found => {
      if (found.kind === 'absent') log?.debug('no OS keyring: the key of the secrets comes from elsewhere', found);
      return found;
    });
    return search;
  };
}

function keyringWanted(word: string | undefined): boolean {
  if (word === 'off') return false;
  if (!word || word === 'on') return true;
  // A misspelt 'off' would put secrets where the person did not want them.
  throw new JunctorError('usage', `JUNCTOR_KEYRING cannot be '${word}'.`, {
    hint: 'set it to on or off, or leave it out',
  });
}

async function forbidden(): Promise<KeyringSearch> {
  return { kind: 'absent', why: 'JUNCTOR_KEYRING is off' };
}
