/** Keeps literal secrets out of what others read: the value goes to the secret store, a reference takes its place. Pure. */
import { namesSecret } from '../../base/log/redact.ts';
import { sha256 } from '../../base/sha256.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { literal, parseTemplate } from '../template.ts';
import { replacePassword } from './address-password.ts';
import { replaceSecretOptions } from './secret-options.ts';

export interface FoundSecret {
  readonly name: string;
  readonly value: string;
}

export interface Hidden {
  readonly definition: McpServerDef;
  /** What has to be stored, once it is certain that something will refer to it. */
  readonly secrets: readonly FoundSecret[];
}

/** Whether a secret was stored for this file: nobody else can mean it. */
export function isSecretOfFile(name: string, file: string): boolean {
  return name.endsWith(`.${placeOf(file)}`);
}

function placeOf(file: string): string {
  return sha256(file).slice(0, 6);
}

/** Names are bound to the file that refers to them: a server of the same id elsewhere has secrets of its own. */
export function hideSecrets(file: string, id: string, definition: McpServerDef): Hidden {
  const found: FoundSecret[] = [];
  const place = placeOf(file);
  const hide = (key: string, text: string): string => {
    const parts = parseTemplate(text);
    const only = parts[0];
    // Text with a variable in it is a reference already.
    if (parts.length !== 1 || only?.kind !== 'text' || only.text.trim() === '') return text;
    const scheme = /^(bearer|basic|token)\s+/i.exec(only.text)?.[0] ?? '';
    const value = only.text.slice(scheme.length);
    const stem = `${id}.${key}`.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 110);
    let name = `${stem}.${place}`;
    // A variable and a header may have one name and two values.
    for (let count = 2; found.some(one => one.name === name && one.value !== value); count++)
      name = `${stem}_${count}.${place}`;
    found.push({ name, value });
    return `${literal(scheme)}\${secret:${name}}`;
  };
  const hideIn = (text: string): string => replacePassword(text, password => hide('password', password));
  const hideMap = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, namesSecret(key) ? hide(key, value) : hideIn(value)]),
    );
  const hidden: Record<string, unknown> = { ...definition };
  if (definition.env) hidden.env = hideMap(definition.env);
  if (definition.args) hidden.args = replaceSecretOptions(definition.args, hide).map(hideIn);
  if (definition.transport !== 'stdio') {
    hidden.url = hideIn(hideInUrl(definition.url, hide));
    if (definition.headers) hidden.headers = hideMap(definition.headers);
    if (definition.oauth) {
      const { client_secret, private_key } = definition.oauth;
      hidden.oauth = {
        ...definition.oauth,
        ...(client_secret ? { client_secret: hide('client_secret', client_secret) } : {}),
        ...(private_key ? { private_key: hide('private_key', private_key) } : {}),
      };
    }
  }
  return { definition: hidden as McpServerDef, secrets: found };
}

function hideInUrl(url: string, hide: (key: string, text: string) => string): string {
  return url.replace(/([?&])([^=&#?]+)=([^&#]+)/g, (all, sign: string, name: string, value: string) =>
    namesSecret(name) ? `${sign}${name}=${hide(name, value)}` : all,
  );
}
