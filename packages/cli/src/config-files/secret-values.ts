/** Literal secrets of a command go to the secret store; the file gets references to them. */
import { type FoundSecret, openSecrets } from '@junctor/core/config-write';
import { dataDirectory } from '@junctor/core/light';
import type { Context } from '../context.ts';

/** Stores them before the file is written that refers to them. Where either fails, the store is as it was. */
export async function withSecrets<Written>(
  context: Context,
  secrets: readonly FoundSecret[],
  write: () => Promise<Written>,
): Promise<Written> {
  if (secrets.length === 0) return write();
  const { surroundings, global, redactor, log } = context;
  const kept = await openSecrets({ surroundings, dataDirectory: dataDirectory(surroundings, global.data) });
  const former: { readonly name: string; readonly value: string | undefined }[] = [];
  try {
    for (const { name, value } of secrets) {
      redactor.learn(value);
      // One that cannot be read is no loss, and storing it anew mends it.
      const before = await kept.get(name).catch(() => undefined);
      await kept.set(name, value);
      former.push({ name, value: before });
    }
    return await write();
  } catch (error) {
    for (const { name, value } of former) {
      await (value === undefined ? kept.remove(name) : kept.set(name, value)).catch(cause =>
        log.warn('could not put a secret back as it was', { name, cause }),
      );
    }
    throw error;
  }
}
