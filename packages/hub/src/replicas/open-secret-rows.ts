import type { HostOptions } from '@junctor/core';
import { openSecretKeys } from '@junctor/core/config-write';
import { ownSurroundings } from '@junctor/core/light';
import { Seal } from '../store/seal.ts';
import { SecretRows } from '../store/secret-rows.ts';
import type { Store } from '../store/store.ts';

/** Secrets that are posted to one hub are those of every other on the same database. */
export async function openSecretRows(store: Store, { surroundings, log }: HostOptions): Promise<SecretRows> {
  const keys = await openSecretKeys({ surroundings: surroundings ?? ownSurroundings(), log });
  return new SecretRows(store, new Seal(keys, { what: 'secrets', anew: 'set each of them again' }));
}
