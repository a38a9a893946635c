/** What stands in a definition under a name that usually holds a secret is one, wherever it came from. Pure. */
import { namesSecret } from '../../base/log/redact.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { passwordsIn } from './address-password.ts';
import { secretOptions } from './secret-options.ts';

export function literalSecrets(definition: McpServerDef): string[] {
  const remote = definition.transport === 'stdio' ? undefined : definition;
  const named = Object.entries({ ...definition.env, ...remote?.headers });
  const found = named.flatMap(([name, value]) =>
    namesSecret(name) ? [value.replace(/^(bearer|basic|token)\s+/i, '')] : passwordsIn(value),
  );
  const { client_secret, private_key } = remote?.oauth || {};
  const args = definition.args ?? [];
  const given = [...args.flatMap(passwordsIn), ...secretOptions(args).filter(isSecretive)];
  const all = [...found, ...given, ...(remote ? inAddress(remote.url) : []), client_secret, private_key];
  return all.filter(secret => secret !== undefined);
}

/** A key in an address, and the password before its host: as they are sent, and as they are meant. */
function inAddress(address: string): string[] {
  // A port that is chosen later must not hide what stands behind it.
  const url = URL.parse(address.replace(/:\$\{\w+\}/, ''));
  if (!url) return [];
  const keys = [...url.search.matchAll(/[?&]([^=&?]+)=([^&]*)/g)].flatMap(([, name = '', value = '']) =>
    namesSecret(name) && isSecretive(value) ? [value] : [],
  );
  return [...keys, url.password].flatMap(sent => [sent, decoded(sent)]);
}

/** Names in addresses and options say less than those of headers: `auth=default` must not mask a word in every answer. */
function isSecretive(value: string): boolean {
  return value.length >= 16 || (value.length >= 8 && /\d/.test(value));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
