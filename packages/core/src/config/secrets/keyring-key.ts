/** The key of one secrets file, where the OS keyring keeps it: 32 random bytes, made with the first secret. */
import { createHash, randomBytes } from 'node:crypto';
import { JunctorError, sentenceOf } from '../../base/error.ts';
import { Redactor } from '../../base/log/redact.ts';
import type { Keyring, KeyringSearch } from './keyring.ts';

export type FindKeyring = () => Promise<KeyringSearch>;

const KEY_BYTES = 32;

/** Undefined where there is no keyring, or it holds no key for this file. */
export async function readKeyringKey(find: FindKeyring, fileId: string): Promise<Buffer | undefined> {
  const search = await find();
  if (search.kind === 'absent') return undefined;
  const text = await search.keyring.get(accountOf(fileId)).catch(error => {
    throw refused('give', sentenceOf(error), error);
  });
  const key = Buffer.from(text ?? '', 'base64url');
  return key.length === KEY_BYTES ? key : undefined;
}

/** Makes the key where there is none yet. Called while the file is locked: no other process makes one meanwhile. */
export async function prepareKeyringKey(find: FindKeyring, fileId: string): Promise<void> {
  const search = await find();
  if (search.kind === 'absent' || (await readKeyringKey(find, fileId))) return;
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const redactor = new Redactor();
  redactor.learn(key);
  await search.keyring.set(accountOf(fileId), key).catch(error => {
    // Without its cause: that may repeat the key.
    throw refused('keep', redactor.mask(sentenceOf(error)));
  });
}

/** For a file that holds nothing sealed with it any more. */
export async function forgetKeyringKey(keyring: Keyring, fileId: string): Promise<void> {
  await keyring.remove(accountOf(fileId));
}

/** Readable in the keyring's own window; the hash tells the files of two data directories apart. */
function accountOf(fileId: string): string {
  return `key of secrets.json (${createHash('sha256').update(fileId).digest('hex').slice(0, 16)})`;
}

function refused(deed: 'give' | 'keep', why: string, cause?: unknown): JunctorError {
  return new JunctorError('secret_unreadable', `The OS keyring did not ${deed} the key of the secrets file.`, {
    why,
    hint: 'unlock the keyring and try again; with JUNCTOR_KEYRING=off new secrets are sealed with another key',
    cause,
  });
}
