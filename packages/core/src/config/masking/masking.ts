/** A definition as it may be shown: what could be a secret is masked, references to secrets are not. */
import { MASK, namesSecret } from '../../base/log/redact.ts';
import type { Definition } from '../layers.ts';
import type { McpServerDef, OAuthDef } from '../schema/server-schema.ts';
import { formatTemplate, parseTemplate } from '../template.ts';
import { replacePassword } from './address-password.ts';
import { replaceSecretOptions } from './secret-options.ts';

export function maskDefinition(definition: McpServerDef): McpServerDef {
  const shown: Record<string, unknown> = { ...definition };
  if (definition.env) shown.env = maskTexts(definition.env);
  if (definition.args) shown.args = replaceSecretOptions(definition.args, (_, value) => maskText(value), maskPassword);
  if (definition.transport !== 'stdio') {
    shown.url = maskUrl(definition.url);
    if (definition.headers) shown.headers = maskTexts(definition.headers);
    if (definition.oauth) shown.oauth = maskOAuth(definition.oauth);
  }
  return shown as McpServerDef;
}

/**
 * The same with its texts as the file has them. Some formats have no references at all: there `${HOME}` is text, which our
 * notation writes as `$${HOME}`.
 */
export function shownDefinition({ definition, dialect }: Pick<Definition, 'definition' | 'dialect'>): McpServerDef {
  return textsOf({ definition: maskDefinition(definition), dialect });
}

const WITHOUT_REFERENCES = new Set<string>(['codelia', 'claude-desktop']);

/** Its texts as the file has them, nothing masked. */
export function textsOf({ definition, dialect }: Pick<Definition, 'definition' | 'dialect'>): McpServerDef {
  return WITHOUT_REFERENCES.has(dialect) ? (asText(definition) as McpServerDef) : definition;
}

function asText(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$${', () => '${');
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asText(one)]));
}

function maskOAuth({ client_secret, private_key, ...plain }: OAuthDef): OAuthDef {
  return {
    ...plain,
    ...(client_secret === undefined ? {} : { client_secret: maskText(client_secret) }),
    ...(private_key === undefined ? {} : { private_key: maskText(private_key) }),
  };
}

/** Variables or headers: those whose names say that they hold a secret. */
export function maskTexts(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, namesSecret(name) ? maskText(value) : maskPassword(value)]),
  );
}

/** Every literal piece is masked but for the word that names the scheme; variables and secret references stay readable. */
export function maskText(text: string): string {
  const parts = parseTemplate(text);
  if (parts.length === 0) return text;
  return parts.map(part => (part.kind === 'text' ? maskPiece(part.text) : formatTemplate([part]))).join('');
}

function maskPiece(text: string): string {
  const scheme = /^(bearer|basic|token)\s+/i.exec(text)?.[0] ?? '';
  return text.length === scheme.length || text.trim() === '' ? text : `${scheme}${MASK}`;
}

function maskUrl(url: string): string {
  return maskPassword(url).replace(/([?&])([^=&?]+)=([^&#]+)/g, (all, sign: string, name: string, value: string) =>
    namesSecret(name) ? `${sign}${name}=${maskText(value)}` : all,
  );
}

function maskPassword(text: string): string {
  return replacePassword(text, maskText);
}
