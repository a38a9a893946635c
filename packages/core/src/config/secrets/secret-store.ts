/** Values that config files name but never hold: `${secret:NAME}`. This is the port the rest of Junctor sees. */
import { JunctorError } from '../../base/error.ts';

export interface SecretStore {
  /** The value, or undefined where no secret has this name. */
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /** False where there was nothing to remove. */
  remove(name: string): Promise<boolean>;
  /** Names only, in order. */
  list(): Promise<string[]>;
}

/** Where a value lies: sealed in the file, or, from earlier versions, in the keyring itself. */
export type SecretPlace = 'keyring' | 'file';

export const SECRET_NAME: RegExp = /^[A-Za-z0-9_.-]{1,128}$/;

/** Larger than any key or certificate; small enough that the file, which is rewritten whole, stays quick. */
export const MAX_SECRET_BYTES: number = 64 * 1024;

/** Refuses what no store could keep. The sentences name the secret, never its value. */
export function checkSecret(name: string, value: string): void {
  checkSecretName(name);
  if (value === '')
    throw new JunctorError('usage', `Secret '${name}' was given no value.`, { hint: 'type it, or pipe it to stdin' });
  if (Buffer.byteLength(value) > MAX_SECRET_BYTES) {
    throw new JunctorError('usage', `The value of secret '${name}' is longer than ${MAX_SECRET_BYTES / 1024} KiB.`, {
      hint: 'keep what is so large in a file, and name that in the config',
    });
  }
}

/** Asked before a value is typed or read, so that nobody types one in vain. */
export function checkSecretName(name: string): void {
  if (SECRET_NAME.test(name)) return;
  throw new JunctorError('usage', `'${name}' cannot name a secret.`, {
    hint: 'use 1 to 128 of: letters, digits, . _ -',
  });
}
