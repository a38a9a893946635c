/** A server as Codex writes it: what comes from the environment is named in keys of its own, since no text is expanded. */
import { isObject } from '../../base/json/is-object.ts';
import type { McpServerDef, RemoteServerDef } from '../schema/server-schema.ts';
import { valueAt } from './entry-reader.ts';
import { allowedTools, defined, inSyntax, requireWords, type ToEntry, type Words, writeOAuth } from './entry-writer.ts';

/** Codex does not start when a server has keys of both kinds. */
export const LAUNCH_KEYS = ['args', 'env', 'env_vars', 'cwd'];
const UNSPOKEN_REMOTE_KEYS = ['http_headers_helper', 'auth', 'oauth_resource'];
export const REMOTE_KEYS = [
  'bearer_token_env_var',
  'http_headers',
  'env_http_headers',
  'oauth',
  ...UNSPOKEN_REMOTE_KEYS,
];

export const OWNED_KEYS = [
  ...LAUNCH_KEYS,
  ...REMOTE_KEYS,
  ...['enabled', 'startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec'],
  ...['enabled_tools', 'disabled_tools', 'scopes', 'bearer_token'],
];

const WORDS: Words = { transports: ['stdio', 'http', 'streamable_http'], off: true, allow: true, deny: true };

export const toEntry: ToEntry = ({ definition, old }) => {
  requireWords(definition, WORDS);
  const { tools, connect_timeout_ms: connect, tool_timeout_ms: total } = definition;
  return defined({
    ...(definition.transport === 'stdio' ? launchEntry(definition, old) : remoteEntry(definition, old)),
    enabled: definition.enabled,
    startup_timeout_sec: connect === undefined ? undefined : connect / 1000,
    tool_timeout_sec: total === undefined ? undefined : total / 1000,
    enabled_tools: allowedTools(definition),
    disabled_tools: tools?.deny,
  });
};

function launchEntry({ command, args, cwd, env }: McpServerDef, old: unknown): object {
  const isPassedOn = ([name, value]: [string, string]): boolean => value === `\${${name}}`;
  const given = Object.entries(env ?? {});
  const literals = given.filter(pair => !isPassedOn(pair));
  const passed = [...remoteVariables(old), ...given.filter(isPassedOn).map(([name]) => name)];
  return {
    ...(inSyntax({ command, args, cwd }, 'none') as object),
    env: literals.length > 0 ? inSyntax(Object.fromEntries(literals), 'none') : undefined,
    env_vars: passed.length > 0 ? passed : undefined,
  };
}

function remoteVariables(old: unknown): unknown[] {
  const list = valueAt(old, ['env_vars']);
  return (Array.isArray(list) ? list : []).filter(item => isObject(item) && item.source === 'remote');
}

/** A header that is a variable as a whole, or `Bearer` and a variable, can be said; one that merely holds a variable cannot. */
function remoteEntry({ url, headers = {}, oauth, bearer_token_env_var: token }: RemoteServerDef, old: unknown): object {
  const sent = Object.entries(headers).map(([name, value]) => ({ name, value, ...variableIn(name, value) }));
  const bearer = token ?? sent.find(header => header.bearer !== undefined)?.bearer;
  const others = sent.filter(({ name }) => bearer === undefined || !isAuthorization(name));
  const literals = others.filter(header => header.variable === undefined).map(({ name, value }) => [name, value]);
  const variables = others
    .filter(header => header.variable !== undefined)
    .map(({ name, variable }) => [name, variable]);
  return {
    ...Object.fromEntries(UNSPOKEN_REMOTE_KEYS.map(key => [key, valueAt(old, [key])])),
    url: inSyntax(url, 'none'),
    bearer_token_env_var: bearer,
    http_headers: literals.length > 0 ? inSyntax(Object.fromEntries(literals), 'none') : undefined,
    env_http_headers: variables.length > 0 ? Object.fromEntries(variables) : undefined,
    oauth: writeOAuth(valueAt(old, ['oauth']), oauth, { client_id: 'client_id' }, { scopes: 'list', syntax: 'none' }),
    scopes: oauth && oauth.scope !== undefined ? inSyntax(oauth.scope.split(/\s+/), 'none') : undefined,
  };
}

function variableIn(header: string, value: string): { readonly bearer?: string; readonly variable?: string } {
  const [, scheme, name] = /^(Bearer )?\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(value) ?? [];
  if (name === undefined) return {};
  if (scheme === undefined) return { variable: name };
  return isAuthorization(header) ? { bearer: name } : {};
}

function isAuthorization(header: string): boolean {
  return header.toLowerCase() === 'authorization';
}
