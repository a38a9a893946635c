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
  return path.split(/[\\/]/).some(name => KEY_NAMES.some(pattern => pattern.test(name)));
}

/** Names of files and of folders, in any case. */
const KEY_NAMES: readonly RegExp[] = [
  /^\.env(rc|\..+)?$|.\.env$/i,
  /^\.(ssh|aws|azure|gnupg|kube|docker|gcloud|password-store|terraform\.d)$|^gcloud$/i,
  /^[._]netrc$|^\.(npmrc|yarnrc\.yml|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|vault-token|boto|s3cfg)$/i,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?([._-].*)?(?<!\.pub)$/i,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|tfstate|tfvars)$/i,
  /credentials?(\.(json|ya?ml|toml|ini|csv|txt|xml|db))?$/i,
  /^(secrets?|service[-_]?account.*)\.(json|ya?ml|toml|env|enc|ini|txt)$/i,
  /^(mcp-auth\.json|hub\.json|hosts\.yml|kubeconfig)$/i,
];

/** A file that is not there yet lies where its folder lies. */
async function followed(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await followed(parent), basename(path));
  }
}
