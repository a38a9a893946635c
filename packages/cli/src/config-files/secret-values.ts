/** Literal secrets of a command go to the secret store; the file gets references to them. */
import { type FoundSecret, openSecrets } from '@junctor/core/config-write';
import { dataDirectory } from '@junctor/core/light';
import type { Context } from '../context.ts';

export async function storeSecrets(context: Context, secrets: readonly FoundSecret[]): Promise<void> {
  if (secrets.length === 0) return;
  const { surroundings, global, redactor } = context;
  const kept = await openSecrets({ surroundings, dataDirectory: dataDirectory(surroundings, global.data) });
  for (const { name, value } of secrets) {
    redactor.learn(value);
    await kept.set(name, value);
  }
}
