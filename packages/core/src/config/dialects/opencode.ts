/**
 * opencode: `mcp.<name>`, or `mcp.servers.<name>`, in `opencode.json[c]`. A program is written as one list of words, anything
 * remote as `remote`: opencode tries HTTP, then SSE.
 */

import { join, resolve } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Path } from '../formats/document.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import type { Surroundings } from '../sources/places.ts';
import type {
  AgentFile,
  Dialect,
  DialectProblem,
  DialectReading,
  DialectWriting,
  ReadServer,
  ServerChange,
} from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings, misshapen, readOAuth, valueAt } from './entry-reader.ts';
import { commonEntry, defined, inSyntax, requireWords, type ToEntry, writeEntries } from './entry-writer.ts';
import { fromSyntax } from './variable-syntax.ts';

const SYNTAX = 'brace-env';
const PLACE = /(^|[/\\])opencode\.jsonc?$/;
const KILO_PLACE = /(^|[/\\])(kilo\.jsonc?|\.kilo[/\\][^/\\]+\.jsonc?)$/;

const OAUTH = { clientId: 'client_id', clientSecret: 'client_secret', scope: 'scope' };

/** Keys that carry something of a definition. */
const OWNED = ['enabled', 'timeout', 'oauth'];

export const opencode: Dialect = {
  name: 'opencode',
  title: 'opencode',
  format: 'json',
  recognise(file, value) {
    if (!isObject(value) || isKiloFile(file)) return false;
    return PLACE.test(file) || placesIn(value).some(path => entriesAt(value, path).some(isLocalOrRemote));
  },
  read(value): DialectReading {
    return readLocalAndRemote(value, placesIn(value), 'opencode');
  },
  write(value, changes): DialectWriting {
    const places = placesIn(value);
    const writings = changes.flatMap(change => {
      const standing = places.filter(path => standsAt(value, path, change.id));
      const wanted = change.definition ? [standing[0] ?? places.at(-1) ?? ['mcp']] : standing;
      return wanted.map(path => writeLocalOrRemote(value, path, [change]));
    });
    return { edits: writings.flatMap(({ edits }) => edits), leftOut: writings.flatMap(({ leftOut }) => leftOut) };
  },
  files: opencodeFiles,
};

export function isKiloFile(file: string): boolean {
  return KILO_PLACE.test(file);
}

/** Reads the entries that opencode and Kilo have in common. */
export function readLocalAndRemote(value: unknown, places: readonly Path[], title: string): DialectReading {
  const nested = places.length > 1 ? nestedServers(value) : undefined;
  const readers = places.flatMap(path => entriesAt(value, path)).filter(({ entry }) => entry !== nested);
  const problems = readers.flatMap(reader => problemsOf(reader, title));
  return {
    frame: {},
    servers: readers.map(readServer),
    problems: [...misshapen(value, ['mcp'], 'an object'), ...problems],
  };
}

export function writeLocalOrRemote(value: unknown, path: Path, changes: readonly ServerChange[]): DialectWriting {
  return writeEntries(value, path, changes, toEntry, OWNED);
}

/** `mcp.servers`, unless that is a server of this name. */
function nestedServers(value: unknown): Record<string, unknown> | undefined {
  const servers = valueAt(value, ['mcp', 'servers']);
  return isObject(servers) && typeof servers.type !== 'string' && !isSwitch(servers) ? servers : undefined;
}

function placesIn(value: unknown): Path[] {
  return nestedServers(value) ? [['mcp'], ['mcp', 'servers']] : [['mcp']];
}

function standsAt(value: unknown, path: Path, id: string): boolean {
  const entry = valueAt(value, [...path, id]);
  return entry !== undefined && entry !== nestedServers(value);
}

function isLocalOrRemote({ entry }: EntryReader): boolean {
  return entry.type === 'local' || entry.type === 'remote';
}

/** An entry that only switches a server of another file on or off. */
function isSwitch(entry: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(entry).length === 1 && typeof entry.enabled === 'boolean';
}

function readServer(reader: EntryReader): ReadServer {
  const { entry } = reader;
  if (isSwitch(entry)) return reader.take('enabled').done();
  const transport = transportOf(entry);
  reader.set('transport', transport, 'type');
  if (transport === 'stdio') {
    const [program, ...args] = Array.isArray(entry.command) ? entry.command : [entry.command];
    reader
      .set('command', expand(program), 'command')
      .set('args', args.length > 0 ? expand(args) : undefined, 'command');
    reader.take('environment', 'env', expand).take('cwd', 'cwd', expand);
  } else {
    reader.take('url', 'url', expand).take('headers', 'headers', expand).take('oauth', 'oauth', signIn);
  }
  // Its one limit holds for every request; for a tool call it starts anew with each sign of progress.
  return reader.take('enabled').take('timeout', 'request_timeout_ms').take('timeout', 'tool_idle_timeout_ms').done();
}

function transportOf({ type, url }: Readonly<Record<string, unknown>>): unknown {
  if (type === 'local') return 'stdio';
  if (type === 'remote') return 'http';
  if (type === undefined || type === null) return typeof url === 'string' ? 'http' : 'stdio';
  return type;
}

function problemsOf(reader: EntryReader, title: string): DialectProblem[] {
  const { entry, id: server } = reader;
  const problems: DialectProblem[] = [];
  if (!reader.has('type') && !isSwitch(entry)) {
    const message = `Server '${server}' has no 'type', and ${title} refuses the whole file because of it.`;
    problems.push({ server, path: reader.pathOf('type'), message, fix: 'Add "type": "local" or "type": "remote".' });
  }
  if (typeof entry.command === 'string') {
    const message = `${title} takes 'command' of server '${server}' as a list.`;
    const fix = 'Write the program and its arguments as ["program", "argument"].';
    problems.push({ server, path: reader.pathOf('command'), message, expected: 'a list', fix });
  }
  if (/\{file:[^}]+\}/.test(JSON.stringify(entry))) {
    const message = `Server '${server}' takes text out of a file with {file:…}, which only ${title} can.`;
    problems.push({ server, path: reader.pathOf('type'), message, fix: 'Put the text into a variable: {env:NAME}.' });
  }
  return problems;
}

function expand(value: unknown): unknown {
  return mapStrings(value, text => fromSyntax(text, SYNTAX));
}

function signIn(value: unknown): unknown {
  return isObject(value) ? readOAuth(value, OAUTH, expand) : value;
}

const toEntry: ToEntry = ({ definition, old }) => {
  requireWords(definition, { transports: ['stdio', 'http', 'streamable_http', 'sse'], off: true });
  const { command, args, env, ...rest } = commonEntry(definition, SYNTAX);
  const { enabled, tool_idle_timeout_ms, tool_timeout_ms } = definition;
  // The limit of ordinary requests stays out: it would cut tool calls short.
  const limits = { enabled, timeout: tool_idle_timeout_ms ?? tool_timeout_ms };
  if (definition.transport === 'stdio') {
    const words = [command, ...(Array.isArray(args) ? args : [])];
    return defined({ type: 'local', command: words, environment: env, ...rest, ...limits });
  }
  return defined({ type: 'remote', ...rest, oauth: oauthEntry(definition, old), ...limits });
};

function oauthEntry({ oauth }: Exclude<McpServerDef, { transport: 'stdio' }>, old: unknown): unknown {
  if (oauth === false) return false;
  const before = isObject(old) && isObject(old.oauth) ? old.oauth : {};
  const { clientId: _id, clientSecret: _secret, scope: _scope, ...foreign } = before;
  const known = { clientId: oauth?.client_id, clientSecret: oauth?.client_secret, scope: oauth?.scope };
  const entry = { ...(inSyntax(defined(known), SYNTAX) as object), ...foreign };
  return Object.keys(entry).length > 0 ? entry : undefined;
}

function opencodeFiles({ home, cwd, env }: Surroundings): AgentFile[] {
  const folders = [env.OPENCODE_CONFIG_DIR, join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')];
  const user = folders.flatMap(folder => (folder ? bothEndings(resolve(cwd, folder), 'opencode') : []));
  if (env.OPENCODE_CONFIG) user.unshift(resolve(cwd, env.OPENCODE_CONFIG));
  return [...inScope('user', user), ...inScope('project', bothEndings(cwd, 'opencode'))];
}

export function bothEndings(folder: string, name: string): string[] {
  return [join(folder, `${name}.json`), join(folder, `${name}.jsonc`)];
}

export function inScope(scope: AgentFile['scope'], paths: readonly string[]): AgentFile[] {
  return paths.map(path => ({ scope, path }));
}
