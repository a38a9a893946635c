/** Values that earlier versions put into the OS keyring itself. They are read, moved into the file, and never added to. */
import { createHash } from 'node:crypto';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import type { Keyring } from './keyring.ts';
import type { FindKeyring } from './keyring-key.ts';
import { INSTEAD } from './sealed-secrets.ts';
import type { SecretsDocument } from './secrets-file.ts';

export function isKeyringValue(document: SecretsDocument, name: string): boolean {
  return document.secrets.some(secret => secret.name === name && secret.store === 'keyring');
}

export async function readKeyringValue(
  document: SecretsDocument,
  name: string,
  find: FindKeyring,
): Promise<string | undefined> {
  const keyring = await neededKeyring(name, find);
  return keyring.get(accountOf(document, name)).catch(error => {
    throw refused('give', name, error);
  });
}

export async function giveUpKeyringValue(document: SecretsDocument, name: string, find: FindKeyring): Promise<void> {
  const keyring = await neededKeyring(name, find);
  await keyring.remove(accountOf(document, name)).catch(error => {
    throw refused('remove', name, error);
  });
}

async function neededKeyring(name: string, find: FindKeyring): Promise<Keyring> {
  const search = await find();
  if (search.kind === 'found') return search.keyring;
  throw new JunctorError('secret_unreadable', `Secret '${name}' lies in the OS keyring, which cannot be reached.`, {
    why: search.why,
    hint: `run this where the keyring is, or ${INSTEAD}`,
    command: `run this where the keyring is, or set the secret again: junctor secret set ${name}`,
  });
}

/** The hash kept apart data directories, and names that differ only in case. */
function accountOf(document: SecretsDocument, name: string): string {
  const hash = createHash('sha256').update(`${document.id} ${name}`).digest('hex');
  return `${name} (${hash.slice(0, 16)})`;
}

function refused(deed: 'give' | 'remove', name: string, cause: unknown): JunctorError {
  return new JunctorError('secret_unreadable', `The OS keyring did not ${deed} secret '${name}'.`, {
    why: sentenceOf(cause),
    hint: 'unlock the keyring and try again',
    cause,
  });
}
