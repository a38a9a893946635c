/**
 * Goose: `extensions.<name>` in `config.yaml`. A variable is a name in `env_keys`, which Goose looks up in the environment, then
 * in its keyring; url and headers refer to it, command and arguments cannot.
 */

import { join, resolve } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import type { Surroundings } from '../sources/places.ts';
import { formatTemplate, literal, parseTemplate, type TemplatePart } from '../template.ts';
import type { AgentFile, Dialect, ReadServer } from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings, misshapen, seconds } from './entry-reader.ts';
import {
  allowedTools,
  commonEntry,
  defined,
  Inexpressible,
  inSyntax,
  requireWords,
  type ToEntry,
  wholeSeconds,
  writeEntries,
} from './entry-writer.ts';

const PLACE = /(^|[/\\])goose[/\\](config[/\\])?config\.ya?ml$/;
const OWNED = ['name', 'enabled', 'env_keys', 'timeout', 'available_tools'];

/** Extensions that are parts of Goose itself. */
const NO_SERVER = new Set<unknown>(['builtin', 'platform', 'frontend', 'inline_python']);

/** Variables Goose refuses to set for a program. */
const REFUSED = /^(PATH|NODE_OPTIONS|PYTHONPATH|PYTHONHOME|LD_\w+|DYLD_\w+)$/i;

export const goose: Dialect = {
  name: 'goose',
  title: 'Goose',
  format: 'yaml',
  recognise(file, value) {
    if (!isObject(value)) return false;
    return PLACE.test(file) || entriesAt(value, ['extensions']).some(({ entry }) => isStdio(entry) || isRemote(entry));
  },
  read(value) {
    const readers = entriesAt(value, ['extensions']).filter(({ entry }) => !NO_SERVER.has(entry.type));
    return { frame: {}, servers: readers.map(readServer), problems: misshapen(value, ['extensions'], 'an object') };
  },
  write: (value, changes) => writeEntries(value, ['extensions'], changes, toEntry, OWNED),
  files: gooseFiles,
};

function isStdio({ type, cmd }: EntryReader['entry']): boolean {
  return type === 'stdio' && typeof cmd === 'string';
}

function isRemote({ type, uri }: EntryReader['entry']): boolean {
  return (type === 'streamable_http' || type === 'sse') && typeof uri === 'string';
}

function readServer(reader: EntryReader): ReadServer {
  const { type, available_tools: tools } = reader.entry;
  reader.set('transport', type ?? undefined, 'type');
  if (type === 'stdio') {
    const asWritten = (value: unknown): unknown => mapStrings(value, literal);
    reader.take('cmd', 'command', asWritten).take('args', 'args', asWritten);
    reader.set('env', environmentOf(reader), reader.has('envs') ? 'envs' : 'env_keys');
  } else {
    const expand = (value: unknown): unknown => mapStrings(value, text => expanded(text, reader));
    reader.take('uri', 'url', expand).take('headers', 'headers', expand);
  }
  // An empty list stands for all tools.
  if (!Array.isArray(tools) || tools.length > 0) reader.take('available_tools', 'tools', allow => ({ allow }));
  return reader.take('enabled').take('timeout', 'tool_timeout_ms', seconds).done();
}

function environmentOf(reader: EntryReader): unknown {
  const { envs } = reader.entry;
  if (reader.has('envs') && !isObject(envs)) return envs;
  const looked = keysOf(reader).map(key => [key, `\${${key}}`]);
  const all = { ...Object.fromEntries(looked), ...(mapStrings(envs ?? {}, literal) as object) };
  return Object.keys(all).length > 0 ? all : undefined;
}

function keysOf({ entry }: EntryReader): string[] {
  return Array.isArray(entry.env_keys) ? entry.env_keys.filter(key => typeof key === 'string') : [];
}

/** Only what `envs` or `env_keys` name is a variable; the rest is text that looks like one. */
function expanded(text: string, reader: EntryReader): string {
  const { envs } = reader.entry;
  const keys = keysOf(reader);
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const match of text.matchAll(/\$\{\s*(\w+)\s*\}|\$(\w+)/g)) {
    const name = match[1] ?? match[2] ?? '';
    const value = isObject(envs) ? envs[name] : undefined;
    if (typeof value !== 'string' && !keys.includes(name)) continue;
    parts.push({ kind: 'text', text: text.slice(from, match.index) });
    parts.push(typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'variable', name });
    from = match.index + match[0].length;
  }
  return formatTemplate([...parts, { kind: 'text', text: text.slice(from) }]);
}

const toEntry: ToEntry = ({ id, definition, old }) => {
  requireWords(definition, { transports: ['stdio', 'http', 'streamable_http'], off: true, allow: true, cwd: false });
  const tools = allowedTools(definition);
  if (tools?.length === 0) throw new Inexpressible('it takes an empty list of tools for all of them');
  return defined({
    type: definition.transport === 'stdio' ? 'stdio' : 'streamable_http',
    name: isObject(old) && typeof old.name === 'string' ? old.name : id,
    ...(definition.transport === 'stdio' ? launchEntry(definition) : remoteEntry(definition)),
    // Goose drops an entry that does not say whether it is enabled.
    enabled: definition.enabled ?? true,
    timeout: wholeSeconds(definition.tool_timeout_ms),
    available_tools: tools,
  });
};

function launchEntry({ command, args = [], env = {} }: Extract<McpServerDef, { transport: 'stdio' }>): object {
  const refused = Object.keys(env).find(name => REFUSED.test(name));
  if (refused) throw new Inexpressible(`it refuses to set ${refused}`);
  const keys = Object.keys(env).filter(name => env[name] === `\${${name}}`);
  const envs = Object.fromEntries(Object.entries(env).filter(([name]) => !keys.includes(name)));
  return { ...(inSyntax({ cmd: command, args, envs }, 'none') as object), env_keys: keys };
}

function remoteEntry(definition: Exclude<McpServerDef, { transport: 'stdio' }>): object {
  const { url: uri, headers } = commonEntry(definition, 'braces');
  const texts = [definition.url, ...Object.values(definition.headers ?? {})];
  const names = texts.flatMap(parseTemplate).flatMap(part => (part.kind === 'variable' ? part.name : []));
  const bearer = definition.bearer_token_env_var ?? [];
  return { uri, headers, env_keys: [...new Set(names.concat(bearer))] };
}

function gooseFiles({ home, cwd, env, platform }: Surroundings): AgentFile[] {
  const windows = join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Block', 'goose', 'config');
  const elsewhere = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'goose');
  const folder = env.GOOSE_PATH_ROOT ? resolve(cwd, env.GOOSE_PATH_ROOT, 'config') : undefined;
  return [{ scope: 'user', path: join(folder ?? (platform === 'win32' ? windows : elsewhere), 'config.yaml') }];
}
