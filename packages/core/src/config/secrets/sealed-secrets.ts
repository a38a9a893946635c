/** Values inside the secrets file: sealing one in, reading one out, taking one away. Documents go in and come out whole. */
import { randomBytes } from 'node:crypto';
import { JunctorError } from '../../base/error.ts';
import { seal, unseal } from './sealed-box.ts';
import type { KeyKind, SecretKeys } from './secret-key.ts';
import type { SecretsDocument, StoredSecret } from './secrets-file.ts';

export type SealedSecret = Extract<StoredSecret, { store: 'file' }>;

export async function withSealed(
  document: SecretsDocument,
  { name, value }: { readonly name: string; readonly value: string },
  keys: SecretKeys,
): Promise<SecretsDocument> {
  const kind = await keys.preferred();
  const rest = withoutSecret(document, name);
  const neighbour = rest.secrets.find(secret => isSealedWith(secret, kind));
  // Beside others a new key would make a file that no single key opens; alone, the first secret of a kind brings it.
  const ready = neighbour ? rest : await withNewKey(rest, kind, keys);
  const key = await keyOf(ready, { name: neighbour?.name ?? name, kind }, keys);
  const box = seal(key, wordsFor(ready, `secret ${name}`), value);
  return { ...ready, secrets: [...ready.secrets, { name, store: 'file', key: kind, box }] };
}

export async function openSealed(document: SecretsDocument, secret: SealedSecret, keys: SecretKeys): Promise<string> {
  const { name } = secret;
  const key = await keyOf(document, { name, kind: secret.key }, keys);
  const value = unseal(key, wordsFor(document, `secret ${name}`), secret.box);
  if (value === undefined) {
    throw new JunctorError('secret_unreadable', `Secret '${name}' was altered in the secrets file.`, {
      why: 'the key is right, but the sealed value is not as Junctor wrote it',
      hint: INSTEAD,
      command: `junctor secret set ${name}`,
    });
  }
  return value;
}

/** Without its last secret a key is forgotten, so that whoever lost it can start anew. */
export function withoutSecret(document: SecretsDocument, name: string): SecretsDocument {
  const secrets = document.secrets.filter(secret => secret.name !== name);
  const keys = Object.fromEntries(
    Object.entries(document.keys).filter(([kind]) => secrets.some(secret => isSealedWith(secret, kind as KeyKind))),
  );
  return { ...document, keys, secrets };
}

/** What a program does about a secret that cannot be read. */
export const INSTEAD = 'give it yourself through the option secrets of createHost';

const CHECK = 'this key fits';
const SALT_BYTES = 16;

async function withNewKey(document: SecretsDocument, kind: KeyKind, keys: SecretKeys): Promise<SecretsDocument> {
  const choice = { kind, fileId: document.id };
  await keys.prepare(choice);
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const key = await keys.derive(choice, salt);
  if (!key) return document;
  const check = seal(key, wordsFor(document, 'check'), CHECK);
  return { ...document, keys: { ...document.keys, [kind]: { salt, check } } };
}

async function keyOf(
  document: SecretsDocument,
  { name, kind }: { readonly name: string; readonly kind: KeyKind },
  keys: SecretKeys,
): Promise<Buffer> {
  const record = document.keys[kind];
  const key = await keys.derive({ kind, fileId: document.id }, record?.salt ?? '');
  if (key && record && unseal(key, wordsFor(document, 'check'), record.check) === CHECK) return key;
  if (kind === 'passphrase') throw passphraseProblem(name, key !== undefined);
  if (kind === 'key_file') throw keyFileProblem(name, keys.keyFile, !key);
  throw keyringProblem(name, await keys.keyringAbsence());
}

function keyringProblem(name: string, absence: string | undefined): JunctorError {
  const sentence = absence
    ? `Secret '${name}' was sealed with a key in the OS keyring, which cannot be reached.`
    : `Secret '${name}' was sealed with a key that the OS keyring no longer holds.`;
  const elsewhere = absence ? 'run this where the keyring is' : 'restore the keyring';
  return new JunctorError('secret_unreadable', sentence, {
    ...(absence && { why: absence }),
    hint: `${elsewhere}, or ${INSTEAD}`,
    command: `${elsewhere}, or set the secret again: junctor secret set ${name}`,
  });
}

function passphraseProblem(name: string, isSet: boolean): JunctorError {
  const sentence = isSet
    ? `Secret '${name}' was sealed with another JUNCTOR_SECRET_KEY than the one set now.`
    : `Secret '${name}' was sealed with JUNCTOR_SECRET_KEY, which is not set.`;
  return new JunctorError('secret_unreadable', sentence, {
    hint: `set JUNCTOR_SECRET_KEY to what it was then, or ${INSTEAD}`,
    command: `set JUNCTOR_SECRET_KEY to what it was then, or give the secret up: junctor secret remove ${name}`,
  });
}

function keyFileProblem(name: string, keyFile: string, isGone: boolean): JunctorError {
  const sentence = isGone
    ? `Secret '${name}' was sealed with the key in ${keyFile}, which is gone.`
    : `Secret '${name}' was sealed with another key than the one in ${keyFile}.`;
  return new JunctorError('secret_unreadable', sentence, {
    hint: `restore that file, or ${INSTEAD}`,
    command: `restore that file, or give the secret up: junctor secret remove ${name}`,
  });
}

function isSealedWith(secret: StoredSecret, kind: KeyKind): boolean {
  return secret.store === 'file' && secret.key === kind;
}

/** What a box is bound to. A box moved to another name or another file no longer opens. */
function wordsFor(document: SecretsDocument, purpose: string): string {
  return `junctor secrets ${document.version} ${document.id} ${purpose}`;
}
