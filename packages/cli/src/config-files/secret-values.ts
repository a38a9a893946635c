/** Keeps literal secrets out of files that others read: the value goes to the secret store, the file gets the reference. */

import { hash } from 'node:crypto';
import type { McpServerDef } from '@junctor/core/config-read';
import { literal, openSecrets, parseTemplate } from '@junctor/core/config-write';
import { dataDirectory, namesSecret } from '@junctor/core/light';

import type { Context } from '../context.ts';

export interface FoundSecret {
  readonly name: string;
  readonly value: string;
}

export interface Hidden {
  readonly definition: McpServerDef;
  /** What has to be stored, once it is certain that the file will refer to it. */
  readonly secrets: readonly FoundSecret[];
}

/** Names are bound to the file that refers to them: a server of the same id elsewhere has secrets of its own. */
export function hideSecrets(file: string, id: string, definition: McpServerDef): Hidden {
  const found: FoundSecret[] = [];
  const place = hash('sha256', file, 'hex').slice(0, 6);
  const hide = (key: string, text: string): string => {
    const parts = parseTemplate(text);
    const only = parts[0];
    // Text with a variable in it is a reference already.
    if (parts.length !== 1 || only?.kind !== 'text' || only.text.trim() === '') return text;
    const scheme = /^(bearer|basic|token)\s+/i.exec(only.text)?.[0] ?? '';
    const name = `${id}.${key}`
      .replace(/[^A-Za-z0-9_.-]/g, '_')
      .slice(0, 120)
      .concat('.', place);
    found.push({ name, value: only.text.slice(scheme.length) });
    return `${literal(scheme)}\${secret:${name}}`;
  };
  const hideMap = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, namesSecret(key) ? hide(key, value) : value]),
    );
  const hidden: Record<string, unknown> = { ...definition };
  if (definition.env) hidden.env = hideMap(definition.env);
  if (definition.args) hidden.args = hideArgs(definition.args, hide);
  if (definition.transport !== 'stdio') {
    hidden.url = hideInUrl(definition.url, hide);
    if (definition.headers) hidden.headers = hideMap(definition.headers);
    const { oauth } = definition;
    if (oauth !== false && oauth?.client_secret)
      hidden.oauth = { ...oauth, client_secret: hide('client_secret', oauth.client_secret) };
  }
  return { definition: hidden as McpServerDef, secrets: found };
}

/** `--token abc` and `--token=abc`. */
function hideArgs(args: readonly string[], hide: (key: string, text: string) => string): string[] {
  return args.map((arg, index) => {
    const [, flag, value] = /^(-[^=]*)=(.*)$/s.exec(arg) ?? [];
    if (flag !== undefined && value && namesSecret(flag)) return `${flag}=${hide(flag.replace(/^-+/, ''), value)}`;
    const before = args[index - 1] ?? '';
    const follows = before.startsWith('-') && !before.includes('=') && namesSecret(before) && !arg.startsWith('-');
    return follows ? hide(before.replace(/^-+/, ''), arg) : arg;
  });
}

function hideInUrl(url: string, hide: (key: string, text: string) => string): string {
  return url.replace(/([?&])([^=&#]+)=([^&#]+)/g, (all, sign: string, name: string, value: string) =>
    namesSecret(name) ? `${sign}${name}=${hide(name, value)}` : all,
  );
}

export async function storeSecrets(context: Context, secrets: readonly FoundSecret[]): Promise<void> {
  if (secrets.length === 0) return;
  const { surroundings, global, redactor } = context;
  const kept = await openSecrets({ surroundings, dataDirectory: dataDirectory(surroundings, global.data) });
  for (const { name, value } of secrets) {
    redactor.learn(value);
    await kept.set(name, value);
  }
}
