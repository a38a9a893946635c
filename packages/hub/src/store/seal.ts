/**
 * Values that the database keeps sealed, with the key that secrets are sealed with too. Hubs that share a database share
 * its sealed values if they share that key: JUNCTOR_SECRET_KEY, or on one machine the keyring or key file.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { JunctorError } from '@junctor/core';
import { type KeyKind, type SecretKeys, seal, unseal } from '@junctor/core/config-write';
import type { Change, Database } from './store.ts';
import type { SealingKeyRow } from './tables.ts';

export interface Sealed {
  readonly sealing_key: string;
  readonly box: string;
}

export interface SealedKind {
  readonly what: string;
  /** What to do where the key is lost. */
  readonly anew: string;
}

const SIGN_INS: SealedKind = { what: 'sign-ins', anew: 'empty the table sign_ins and sign in again' };

const SALT_BYTES = 16;
const PROOF = 'this key fits';

export class Seal {
  readonly #keys: SecretKeys;
  readonly #what: SealedKind;
  /** Deriving one is slow on purpose. */
  readonly #derived = new Map<string, Buffer>();

  /** `what` it keeps, and what becomes of it where the key is lost, in words for people. */
  constructor(keys: SecretKeys, what: SealedKind = SIGN_INS) {
    this.#keys = keys;
    this.#what = what;
  }

  /** `boundTo`: a value that is moved to another place in the database no longer opens. */
  async close(change: Change, boundTo: string, value: string): Promise<Sealed> {
    const row = await this.#current(change);
    return { sealing_key: row.id, box: seal(await this.#keyOf(row), boundTo, value) };
  }

  async open(db: Database | Change, boundTo: string, { sealing_key, box }: Sealed): Promise<string> {
    const row = await db.selectFrom('sealing_keys').selectAll().where('id', '=', sealing_key).executeTakeFirst();
    const value = row && unseal(await this.#keyOf(row), boundTo, box);
    if (value !== undefined) return value;
    throw new JunctorError('secret_unreadable', `${boundTo} was altered in the database.`, {
      why: 'the key is right, but the sealed value is not as Junctor wrote it',
      hint: 'remove that row of the database, and enter it again',
    });
  }

  /** Whether what this key sealed should be sealed anew: a key that all hubs can have is better than one of this machine. */
  async isOutdated(kind: string): Promise<boolean> {
    return kind !== 'passphrase' && (await this.#keys.shared()) === 'passphrase';
  }

  async #current(change: Change): Promise<SealingKeyRow> {
    const newest = await change.selectFrom('sealing_keys').selectAll().orderBy('made', 'desc').executeTakeFirst();
    if (newest && !(await this.isOutdated(newest.kind))) return newest;
    const kind = await this.#keys.shared();
    const id = randomUUID();
    const salt = randomBytes(SALT_BYTES).toString('base64url');
    await this.#keys.prepare({ kind, fileId: id });
    const key = await this.#keys.derive({ kind, fileId: id }, salt);
    if (!key) throw unfitting(kind, false, this.#keys.keyFile, this.#what);
    const row = { id, kind, salt, proof: seal(key, `key ${id}`, PROOF), made: Date.now() };
    await change.insertInto('sealing_keys').values(row).execute();
    return row;
  }

  async #keyOf({ id, kind, salt, proof }: SealingKeyRow): Promise<Buffer> {
    const known = this.#derived.get(id);
    if (known) return known;
    const key = await this.#keys.derive({ kind: kind as KeyKind, fileId: id }, salt);
    if (!key || unseal(key, `key ${id}`, proof) !== PROOF) {
      throw unfitting(kind as KeyKind, key !== undefined, this.#keys.keyFile, this.#what);
    }
    this.#derived.set(id, key);
    return key;
  }
}

function unfitting(kind: KeyKind, isThere: boolean, keyFile: string, { what, anew }: SealedKind): JunctorError {
  const why: Readonly<Record<KeyKind, string>> = {
    passphrase: isThere
      ? 'they were sealed with another JUNCTOR_SECRET_KEY than the one this hub has'
      : 'they were sealed with JUNCTOR_SECRET_KEY, which this hub does not have',
    key_file: isThere
      ? `they were sealed with another key than the one in ${keyFile}`
      : `they were sealed with a key file of another machine or person; there is no ${keyFile}`,
    keyring: 'they were sealed with a key in an OS keyring that this hub cannot read',
  };
  return new JunctorError('secret_unreadable', `The ${what} in the database cannot be opened by this hub.`, {
    why: why[kind],
    hint: `start every hub of this database with the same JUNCTOR_SECRET_KEY; if the key is lost, ${anew}`,
  });
}
