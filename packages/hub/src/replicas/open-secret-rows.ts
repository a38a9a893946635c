import type { HostOptions } from '@junctor/core';
import { openSecretKeys } from '@junctor/core/config-write';
import { Log, ownSurroundings } from '@junctor/core/light';
import { Seal } from '../store/seal.ts';
import { SecretRows } from '../store/secret-rows.ts';
import type { Store } from '../store/store.ts';
import { inWords } from './in-words.ts';

/** Secrets that are posted to one hub are those of every other on the same database. A hub with another key says so at once. */
export async function openSecretRows(
  store: Store,
  { surroundings, log, redactor }: HostOptions,
  onProblem: (sentence: string) => void,
): Promise<SecretRows> {
  const keys = await openSecretKeys({ surroundings: surroundings ?? ownSurroundings(), log: Log.of(log, redactor) });
  const rows = new SecretRows(store, new Seal(keys, { what: 'secrets', anew: 'set each of them again' }));
  const [first] = await rows.list();
  if (first) await rows.get(first.name).catch(error => onProblem(inWords(error)));
  return rows;
}
