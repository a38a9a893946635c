import type { KeptSecrets } from '@junctor/core/inside';
import type { Context } from '../../context.ts';

/** The secrets that belong to the data directory of this command line. */
export async function secretsOf({ surroundings, global, log }: Context): Promise<KeptSecrets> {
  const { dataDirectory, openSecrets } = await import('@junctor/core/inside');
  return openSecrets({ surroundings, dataDirectory: dataDirectory(surroundings, global.data), log });
}
