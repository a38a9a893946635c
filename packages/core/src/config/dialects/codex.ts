/** Codex: `[mcp_servers.<id>]` in `config.toml`. It expands nothing; what comes from the environment has keys of its own. */

import { join, resolve } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Surroundings } from '../sources/places.ts';
import { literal } from '../template.ts';
import { LAUNCH_KEYS, OWNED_KEYS, REMOTE_KEYS, toEntry } from './codex-entry.ts';
import type { AgentFile, Dialect, DialectProblem, ReadServer } from './dialect.ts';
import {
  type Entry,
  type EntryReader,
  entriesAt,
  mapStrings,
  misshapen,
  seconds,
  takeTools,
  takeWay,
} from './entry-reader.ts';
import { defined, writeEntries } from './entry-writer.ts';

const PLACE = /(^|[/\\])\.codex[/\\]config\.toml$/;
/** Where others keep `mcp_servers`. */
const OTHER_PLACE = /(^|[/\\])(\.grok[/\\]|\.mcp\.toml$|\.cocode\.local\.toml$|cocode[/\\])/;
/** And what they say there that Codex does not. */
const FOREIGN_WORDS = ['transport', 'program', 'type', 'headers'];

export const codex: Dialect = {
  name: 'codex',
  title: 'Codex',
  format: 'toml',
  recognise(file, value) {
    if (!isObject(value)) return false;
    if (PLACE.test(file)) return true;
    if (OTHER_PLACE.test(file) || !isObject(value.mcp_servers)) return false;
    const entries = Object.values(value.mcp_servers).filter(isObject);
    return !entries.some(entry => FOREIGN_WORDS.some(word => word in entry));
  },
  read(value) {
    const readers = entriesAt(value, ['mcp_servers']);
    const problems = readers.flatMap(problemsOf);
    const refused = new Set(problems.map(problem => problem.server));
    const servers = readers.filter(reader => !refused.has(reader.id)).map(readServer);
    return { frame: {}, servers, problems: [...misshapen(value, ['mcp_servers'], 'an object'), ...problems] };
  },
  write: (value, changes) => writeEntries(value, ['mcp_servers'], changes, toEntry, OWNED_KEYS),
  files: codexFiles,
};

const asWritten = (value: unknown): unknown => mapStrings(value, literal);

function readServer(reader: EntryReader): ReadServer {
  const { entry } = reader;
  if (reader.has('command')) {
    takeWay(reader.set('transport', 'stdio', 'command'), 'stdio', asWritten);
    const passed = passedOn(entry.env_vars);
    // A value that stands in the file goes before one that is passed on.
    if (Object.keys(passed).length > 0) reader.set('env', withReferences(passed, asWritten(entry.env)), 'env_vars');
  } else if (reader.has('url')) {
    const { http_headers: headers, env_http_headers: named } = entry;
    reader.set('transport', 'http', 'url').take('url', 'url', asWritten).take('bearer_token_env_var');
    reader.take('http_headers', 'headers', asWritten).set('oauth', oauthOf(entry), 'oauth');
    if (isObject(named)) reader.set('headers', withReferences(named, asWritten(headers)), 'env_http_headers');
  }
  return takeTools(reader, { allow: 'enabled_tools', deny: 'disabled_tools' })
    .take('startup_timeout_ms', 'connect_timeout_ms')
    .take('startup_timeout_sec', 'connect_timeout_ms', seconds)
    .take('tool_timeout_sec', 'tool_timeout_ms', seconds)
    .take('enabled')
    .done();
}

/** Names as references to variables, and beside them what is given as it is. */
function withReferences(names: Entry, given: unknown): unknown {
  const references = Object.entries(names).map(([key, name]) => [key, `\${${String(name)}}`]);
  return isObject(given) || given === undefined ? { ...Object.fromEntries(references), ...(given as Entry) } : given;
}

/** An entry of `env_vars` may be an object, and then name another machine's environment, which is not ours to pass on. */
function passedOn(list: unknown): Record<string, string> {
  const items = Array.isArray(list) ? list : [];
  const names = items.map(item => (isObject(item) && item.source !== 'remote' ? item.name : item));
  return Object.fromEntries(names.filter(name => typeof name === 'string').map(name => [name, name]));
}

function oauthOf({ oauth, scopes }: Entry): unknown {
  const id = isObject(oauth) ? oauth.client_id : undefined;
  const scope = Array.isArray(scopes) ? scopes.join(' ') : scopes;
  const known = defined({ client_id: asWritten(id), scope: asWritten(scope) });
  return Object.keys(known).length > 0 ? known : undefined;
}

interface Complaint {
  readonly key: string;
  readonly message: string;
  readonly fix: string;
}

function problemsOf(reader: EntryReader): DialectProblem[] {
  const complaint = wrongKeys(reader) ?? wrongNames(reader);
  if (!complaint) return [];
  return [{ path: reader.pathOf(complaint.key), server: reader.id, message: complaint.message, fix: complaint.fix }];
}

/** Combinations with which Codex does not start at all. */
function wrongKeys(reader: EntryReader): Complaint | undefined {
  const { id, entry } = reader;
  const ways = ['command', 'url'].filter(key => reader.has(key));
  if (ways.length === 2) return complain('url', `Server '${id}' has 'command' and 'url'`, 'Remove one of the two.');
  const [way] = ways;
  if (way === undefined) {
    // A project's file may do no more than switch a server of the person's on or off.
    if ('enabled' in entry && Object.keys(entry).length === 1) return undefined;
    return complain('command', `Server '${id}' has neither 'command' nor 'url'`, 'Add one of the two.');
  }
  if (reader.has('bearer_token')) {
    const fix = 'Put the token into an environment variable, and its name into bearer_token_env_var.';
    return complain('bearer_token', `Server '${id}' has a 'bearer_token'`, fix);
  }
  const key = (way === 'command' ? REMOTE_KEYS : LAUNCH_KEYS).find(name => reader.has(name));
  return key === undefined
    ? undefined
    : complain(key, `Server '${id}' has '${key}' beside '${way}'`, `Remove '${key}'.`);
}

function complain(key: string, what: string, fix: string): Complaint {
  return { key, message: `${what}: Codex does not start with that.`, fix };
}

/** A token where its variable's name belongs is a likely mistake, so what stands there is not repeated. */
function wrongNames({ id, entry }: EntryReader): Complaint | undefined {
  const named: Readonly<Record<string, readonly unknown[]>> = {
    bearer_token_env_var: [entry.bearer_token_env_var ?? 'NONE'],
    env_http_headers: Object.values(isObject(entry.env_http_headers) ? entry.env_http_headers : {}),
    env_vars: Object.keys(passedOn(entry.env_vars)),
  };
  const isName = (name: unknown): boolean => typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
  const key = Object.keys(named).find(one => !named[one]?.every(isName));
  if (key === undefined) return undefined;
  const message = `'${key}' of server '${id}' holds something that cannot be the name of a variable.`;
  return { key, message, fix: 'Name an environment variable: letters, digits and _.' };
}

function codexFiles({ home, cwd, env }: Surroundings): AgentFile[] {
  const folder = env.CODEX_HOME ? resolve(cwd, env.CODEX_HOME) : join(home, '.codex');
  return [
    { scope: 'user', path: join(folder, 'config.toml') },
    { scope: 'project', path: join(cwd, '.codex', 'config.toml') },
  ];
}
