/** Puts values in the place of variables and secrets, in the definition of one server. */
import type { McpServerDef } from './schema/server-schema.ts';
import { parseTemplate } from './template.ts';

export interface VariableValues {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asked only for secrets that are named; never for a server that nobody trusts yet. */
  secret(name: string): Promise<string | undefined>;
}

export interface Missing {
  readonly kind: 'variable' | 'secret';
  readonly name: string;
  /** Where it is named, such as `headers.Authorization`. */
  readonly at: string;
}

export type Expanded =
  | { readonly ok: true; readonly definition: McpServerDef; readonly secrets: readonly string[] }
  | { readonly ok: false; readonly missing: readonly Missing[] };

/** Stays as it is in a server that Junctor starts behind a URL: each start puts a free port in its place. */
export const PORT_REFERENCE = '${PORT}';

/** The keys in which variables count. Everywhere else `${…}` is text. */
const EXPANDED_KEYS = ['command', 'args', 'cwd', 'env', 'url', 'headers', 'oauth'] as const;

export async function expandVariables(definition: McpServerDef, values: VariableValues): Promise<Expanded> {
  const missing: Missing[] = [];
  const secrets: string[] = [];
  const startsBehindUrl = definition.transport !== 'stdio' && definition.command !== undefined;
  const variable = ({ name, fallback }: { name: string; fallback?: string }): string | undefined =>
    startsBehindUrl && name === 'PORT' ? PORT_REFERENCE : (values.env[name] ?? fallback);
  const expandText = async (text: string, at: string): Promise<string> => {
    let expanded = '';
    for (const part of parseTemplate(text)) {
      if (part.kind === 'text') {
        expanded += part.text;
        continue;
      }
      const value = part.kind === 'secret' ? await values.secret(part.name) : variable(part);
      if (value === undefined) missing.push({ kind: part.kind, name: part.name, at });
      else if (part.kind === 'secret') secrets.push(value);
      expanded += value ?? '';
    }
    return expanded;
  };
  const expanded: Record<string, unknown> = { ...definition };
  for (const key of EXPANDED_KEYS) {
    const value = (definition as Record<string, unknown>)[key];
    if (value !== undefined && value !== false) expanded[key] = await expandInside(value, key, expandText);
  }
  await addBearer(definition, expanded, values, { missing, secrets });
  if (missing.length > 0) return { ok: false, missing };
  return { ok: true, definition: expanded as McpServerDef, secrets };
}

async function expandInside(
  value: unknown,
  at: string,
  expandText: (text: string, at: string) => Promise<string>,
): Promise<unknown> {
  if (typeof value === 'string') return expandText(value, at);
  if (Array.isArray(value))
    return Promise.all(value.map((item, index) => expandInside(item, `${at}[${index}]`, expandText)));
  const entries = Object.entries(value as Record<string, unknown>).map(
    async ([key, item]) => [key, await expandInside(item, `${at}.${key}`, expandText)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** A bearer token from a variable becomes the header it stands for. A header the person wrote is not overridden. */
async function addBearer(
  definition: McpServerDef,
  expanded: Record<string, unknown>,
  { env }: VariableValues,
  found: { missing: Missing[]; secrets: string[] },
): Promise<void> {
  if (definition.transport === 'stdio' || definition.bearer_token_env_var === undefined) return;
  const name = definition.bearer_token_env_var;
  const token = env[name];
  if (token === undefined) {
    found.missing.push({ kind: 'variable', name, at: 'bearer_token_env_var' });
    return;
  }
  found.secrets.push(token);
  const headers = (expanded.headers ?? {}) as Record<string, string>;
  const written = Object.keys(headers).some(header => header.toLowerCase() === 'authorization');
  if (!written) expanded.headers = { ...headers, Authorization: `Bearer ${token}` };
}

/** `API_TOKEN (headers.Authorization)`, for the error of a server that had to be left out. */
export function describeMissing(missing: readonly Missing[]): string {
  return missing
    .map(({ kind, name, at }) => `${kind === 'secret' ? `the secret ${name}` : `the variable ${name}`} (in ${at})`)
    .join(', ');
}
