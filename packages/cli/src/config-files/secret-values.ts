/** Keeps literal secrets out of files that others read: the value goes to the secret store, the file gets the reference. */

import type { McpServerDef } from '@junctor/core/config-read';
import { literal, openSecrets, parseTemplate } from '@junctor/core/config-write';
import { dataDirectory, namesSecret } from '@junctor/core/light';

import type { Context } from '../context.ts';

export interface Hidden {
  readonly definition: McpServerDef;
  /** Names of the secrets that were stored. */
  readonly stored: readonly string[];
}

export async function hideSecrets(context: Context, id: string, definition: McpServerDef): Promise<Hidden> {
  const found: { name: string; value: string }[] = [];
  const hide = (key: string, text: string): string => {
    const parts = parseTemplate(text);
    const only = parts[0];
    // Text with a variable in it is a reference already.
    if (parts.length !== 1 || only?.kind !== 'text' || only.text.trim() === '') return text;
    const scheme = /^(bearer|basic|token)\s+/i.exec(only.text)?.[0] ?? '';
    const name = `${id}.${key}`.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 128);
    found.push({ name, value: only.text.slice(scheme.length) });
    return `${literal(scheme)}\${secret:${name}}`;
  };
  const hideMap = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, namesSecret(key) ? hide(key, value) : value]),
    );
  const hidden: Record<string, unknown> = { ...definition };
  if (definition.env) hidden.env = hideMap(definition.env);
  if (definition.transport !== 'stdio') {
    if (definition.headers) hidden.headers = hideMap(definition.headers);
    const { oauth } = definition;
    if (oauth !== false && oauth?.client_secret)
      hidden.oauth = { ...oauth, client_secret: hide('client_secret', oauth.client_secret) };
  }
  if (found.length > 0) await store(context, found);
  return { definition: hidden as McpServerDef, stored: found.map(({ name }) => name) };
}

async function store(context: Context, secrets: readonly { name: string; value: string }[]): Promise<void> {
  const { surroundings, global, redactor } = context;
  const kept = await openSecrets({ surroundings, dataDirectory: dataDirectory(surroundings, global.data) });
  for (const { name, value } of secrets) {
    redactor.learn(value);
    await kept.set(name, value);
  }
}
