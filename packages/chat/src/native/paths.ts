/** Where a path of a tool leads to, links followed. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

export interface Place {
  readonly absolute: string;
  /** Below the folder the person is in: relative to it, with slashes. Else the absolute path. */
  readonly shown: string;
  readonly inside: boolean;
}

export async function placeOf(path: string, cwd: string): Promise<Place> {
  const absolute = await followed(resolve(cwd, path));
  const within = relative(await followed(cwd), absolute);
  const inside = within === '' || (within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within));
  return { absolute, inside, shown: inside ? within.split(sep).join('/') || '.' : absolute };
}

/** Files that usually hold keys: they are not read unasked. */
export function holdsSecrets(path: string): boolean {
  return path.split('/').some(name => /^\.env(\..+)?$|^\.(ssh|aws|gnupg|netrc|npmrc)$|\.(pem|key)$/.test(name));
}

/** A file that is not there yet lies where its folder lies. */
async function followed(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await followed(parent), basename(path));
  }
}
