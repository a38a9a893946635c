/** Writes servers into the map of entries that most agents have: one entry a server, untouched where nothing changed. */
import { isObject } from '../../base/json/is-object.ts';
import type { Edit, Path } from '../formats/document.ts';
import { formatPath } from '../problem.ts';
import type { McpServerDef, RemoteServerDef } from '../schema/server-schema.ts';
import { formatTemplate, parseTemplate } from '../template.ts';
import type { DialectWriting, ServerChange } from './dialect.ts';
import { type OAuthWords, valueAt } from './entry-reader.ts';
import { toSyntax, type VariableSyntaxName } from './variable-syntax.ts';

/** Thrown by a dialect for a server it has no words for. In the message "it" is the program whose file it is. */
export class Inexpressible extends Error {}

/** The same reason where the program has to be named: "Codex cannot speak SSE". */
export function namingProgram(title: string, because: string): string {
  return because.replace(/\bits?\b/, pronoun => (pronoun === 'it' ? title : `${title}'s`));
}

/** `old` is the entry that stands in the file already, for what only the agent knows deeper inside it. */
export type ToEntry = (change: {
  readonly id: string;
  readonly definition: McpServerDef;
  readonly old: unknown;
}) => object;

/**
 * Keys of an old entry that the new one does not know are the agent's own business, and stay. `owned` names the keys a
 * dialect translates: where the new definition no longer says them, they go.
 */
export function writeEntries(
  value: unknown,
  path: Path,
  changes: readonly ServerChange[],
  toEntry: ToEntry,
  owned: readonly string[] = [],
): DialectWriting {
  const edits: Edit[] = [];
  const leftOut: { id: string; because: string }[] = [];
  const obstacle = obstacleTo(value, path);
  if (obstacle) return { edits, leftOut: changes.map(({ id }) => ({ id, because: obstacle })) };
  for (const { id, definition } of changes) {
    const old = valueAt(value, [...path, id]);
    if (!definition) {
      if (old !== undefined) edits.push({ path: [...path, id], value: undefined });
      continue;
    }
    try {
      edits.push({ path: [...path, id], value: keepingForeignKeys(old, toEntry({ id, definition, old }), owned) });
    } catch (error) {
      if (!(error instanceof Inexpressible)) throw error;
      leftOut.push({ id, because: error.message });
    }
  }
  return { edits, leftOut };
}

/** What an agent's file has words for, beyond how a server is reached. */
export interface Words {
  readonly transports: readonly McpServerDef['transport'][];
  /** A server can stand in the file and be switched off. */
  readonly off?: true;
  /** A list of the tools it offers, and of those it does not; by name, never by pattern. */
  readonly allow?: true;
  readonly deny?: true;
  /** false: a program starts wherever the agent runs. */
  readonly cwd?: false;
}

/** Refuses what would otherwise be lost in silence: a server must not be able to do more there than the person allowed. */
export function requireWords(definition: McpServerDef, words: Words): void {
  const { transport, enabled, tools, cwd } = definition;
  if (!words.transports.includes(transport)) throw new Inexpressible(cannotSpeak(transport));
  if (transport !== 'stdio') {
    if (definition.command !== undefined) throw new Inexpressible('it cannot start the program that serves a url');
    if (definition.auth_provider !== undefined) throw new Inexpressible('only an embedding program can sign in there');
    const unspoken = unspokenSignIn(definition.oauth);
    if (unspoken !== undefined) throw new Inexpressible(`it has no way to write oauth.${unspoken}`);
  }
  if (words.cwd === false && cwd !== undefined)
    throw new Inexpressible('it cannot start a program in another directory');
  if (enabled === false && !words.off) throw new Inexpressible('its file cannot keep a server switched off');
  if (allowedTools(definition)) requireNames(tools?.allow, words.allow, 'it cannot limit a server to some tools');
  if (tools?.deny?.length) requireNames(tools.deny, words.deny, 'it cannot keep single tools away');
}

/** Keys of a sign-in that no other program has a word for: without them it would be another sign-in, or none. */
const OURS_ALONE = [
  ...['grant_type', 'private_key', 'token_endpoint_auth_method', 'issuer', 'resource', 'redirect_uri'],
  'client_metadata_url',
] as const;

export function unspokenSignIn(oauth: RemoteServerDef['oauth']): string | undefined {
  if (!oauth) return undefined;
  return OURS_ALONE.find(key => oauth[key] !== undefined && oauth[key] !== 'authorization_code');
}

/** The tools a definition is limited to; undefined where it is not. */
export function allowedTools({ tools }: McpServerDef): string[] | undefined {
  return tools?.allow?.includes('*') ? undefined : tools?.allow;
}

function requireNames(names: readonly string[] = [], spoken: true | undefined, otherwise: string): void {
  if (!spoken) throw new Inexpressible(otherwise);
  const pattern = names.find(name => /[*?[\]{}]/.test(name));
  if (pattern) throw new Inexpressible(`its lists take names of tools, and ${pattern} is a pattern`);
}

export function cannotSpeak(transport: McpServerDef['transport']): string {
  return `it cannot speak ${SPOKEN[transport]}`;
}

const SPOKEN = { stdio: 'stdio', http: 'HTTP', streamable_http: 'HTTP', sse: 'SSE', ws: 'WebSocket' } as const;

/** Milliseconds as whole seconds, never less time than asked for; agents refuse fractions. */
export function wholeSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.ceil(milliseconds / 1000);
}

/** The part of an entry that nearly all agents spell alike: command, args, env, cwd, or url and headers. */
export function commonEntry(definition: McpServerDef, syntax: VariableSyntaxName): Record<string, unknown> {
  const { args, cwd, env } = definition;
  const local = { command: definition.command, args, cwd, env };
  const spoken = definition.transport === 'stdio' ? local : { url: definition.url, headers: headersOf(definition) };
  return inSyntax(defined(spoken), syntax) as Record<string, unknown>;
}

/** A bearer token from a variable is a header to agents that have no key for it. */
export function headersOf(
  definition: Exclude<McpServerDef, { transport: 'stdio' }>,
): Record<string, string> | undefined {
  const { headers, bearer_token_env_var: variable } = definition;
  if (variable === undefined) return headers;
  return { ...headers, Authorization: `Bearer \${${variable}}` };
}

/** An agent's object for signing in, its own keys kept; scopes as a list where the agent wants one. Undefined: there is none. */
export function writeOAuth(
  old: unknown,
  oauth: RemoteServerDef['oauth'],
  words: OAuthWords,
  { scopes, syntax }: { readonly scopes: 'list' | 'text'; readonly syntax: VariableSyntaxName },
): Record<string, unknown> | undefined {
  const said: Readonly<Record<string, unknown>> = oauth || {};
  const fresh = Object.entries(words).map(([key, canonical]) => {
    const value = said[canonical];
    const isList = canonical === 'scope' && scopes === 'list' && typeof value === 'string';
    return [key, inSyntax(isList ? value.split(/\s+/) : value, syntax)];
  });
  const foreign = Object.entries(isObject(old) ? old : {}).filter(([key]) => !(key in words));
  const whole = defined(Object.fromEntries([...foreign, ...fresh]));
  return Object.keys(whole).length > 0 ? whole : undefined;
}

/** Every text of a value with its variables in the agent's own words. */
export function inSyntax(value: unknown, syntax: VariableSyntaxName): unknown {
  if (typeof value === 'string') {
    const written = toSyntax(value, syntax);
    if (written === undefined) throw new Inexpressible(`it has no way to write ${referencesIn(value)}`);
    return written;
  }
  if (Array.isArray(value)) return value.map(item => inSyntax(item, syntax));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inSyntax(item, syntax)]));
}

export function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Keys that say how a server is reached: an old one must not survive beside a new way. */
const WAYS = new Set([
  'type',
  'transport',
  'command',
  'args',
  'env',
  'environment',
  'cwd',
  'url',
  'httpUrl',
  'serverUrl',
  'uri',
  'headers',
  'cmd',
  'envs',
]);

export function leadsToServer(key: string): boolean {
  return WAYS.has(key);
}

export function keepingForeignKeys(old: unknown, entry: object, owned: readonly string[] = []): object {
  if (!isObject(old)) return entry;
  const foreign = Object.entries(old).filter(([key]) => !WAYS.has(key) && !owned.includes(key) && !(key in entry));
  return { ...entry, ...Object.fromEntries(foreign) };
}

/** The first thing on the way to the entries that could not hold them. A key without a value (null) holds none yet. */
function obstacleTo(value: unknown, path: Path): string | undefined {
  for (let length = 0; length <= path.length; length++) {
    const found = valueAt(value, path.slice(0, length));
    const name = length === 0 ? 'its file' : `'${formatPath(path.slice(0, length))}' in its file`;
    if (found !== undefined && found !== null && !isObject(found))
      return `${name} is no object that could hold servers`;
  }
  return undefined;
}

/** Only the variables of a text: what stands around them may be a secret. */
function referencesIn(text: string): string {
  const references = parseTemplate(text).filter(part => part.kind !== 'text');
  return references.length > 0 ? formatTemplate(references) : 'a text that looks like a variable to it';
}
