import { type KeptSecrets, openSecrets } from '@junctor/core/config-write';
import { dataDirectory } from '@junctor/core/light';
import type { Context } from '../context.ts';

/** The secrets that belong to the data directory of this command line. */
export async function secretsOf({ surroundings, global, log }: Context): Promise<KeptSecrets> {
  return openSecrets({ surroundings, dataDirectory: dataDirectory(surroundings, global.data), log });
}
