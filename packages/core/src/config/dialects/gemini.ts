/** Gemini CLI: `mcpServers` in `.gemini/settings.json`; `mcp.allowed` and `mcp.excluded` say which of them it uses. */

import { join, resolve } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Edit } from '../formats/document.ts';
import type { Surroundings } from '../sources/places.ts';
import type { AgentFile, Dialect, DialectReading, DialectWriting, ReadServer, ServerChange } from './dialect.ts';
import {
  type EntryReader,
  entriesAt,
  mapStrings,
  misshapen,
  readOAuth,
  takeTools,
  takeWay,
  valueAt,
} from './entry-reader.ts';
import {
  allowedTools,
  commonEntry,
  defined,
  Inexpressible,
  requireWords,
  type ToEntry,
  type Words,
  writeEntries,
  writeOAuth,
} from './entry-writer.ts';
import { fromSyntax, type VariableSyntaxName } from './variable-syntax.ts';

const SYNTAX = 'braces-or-plain';
const OAUTH = {
  clientId: 'client_id',
  clientSecret: 'client_secret',
  authorizationUrl: 'authorization_url',
  tokenUrl: 'token_url',
  registrationUrl: 'registration_url',
  scopes: 'scope',
};
export const SETTINGS_KEYS = ['timeout', 'trust', 'includeTools', 'excludeTools', 'description', 'oauth'];
const WORDS: Words = { transports: ['stdio', 'http', 'streamable_http', 'sse'], off: true, allow: true, deny: true };

export const gemini: Dialect = {
  name: 'gemini',
  title: 'Gemini CLI',
  format: 'json',
  recognise: (file, value) => isSettings(value, file, { own: '.gemini', other: '.qwen' }),
  read: value =>
    readSettings(value, reader => readEntry(reader, SYNTAX, reader.entry.type === 'sse' ? 'sse' : 'http').done()),
  write: (value, changes) => writeSettings(value, changes, change => entryOf(change, SYNTAX), SETTINGS_KEYS),
  files: geminiFiles,
};

/** By its place; elsewhere by `httpUrl`, which nobody else says, and which does not tell the two of them apart. */
export function isSettings(
  value: unknown,
  file: string,
  folders: { readonly own: string; readonly other: string },
): boolean {
  const [, folder] = /(?:^|[/\\])([^/\\]+)[/\\]settings\.json$/.exec(file) ?? [];
  if (!isObject(value) || folder === folders.other) return false;
  return folder === folders.own || entriesAt(value, ['mcpServers']).some(reader => reader.has('httpUrl'));
}

/** The whole file, for Gemini CLI and its kin. */
export function readSettings(value: unknown, read: (reader: EntryReader) => ReadServer): DialectReading {
  const readers = entriesAt(value, ['mcpServers']);
  for (const reader of readers) if (!isUsed(value, reader.id)) reader.set('enabled', false);
  return { frame: {}, servers: readers.map(read), problems: misshapen(value, ['mcpServers'], 'an object') };
}

/** `httpUrl` goes before `url`, and both before `command`. */
export function readEntry(reader: EntryReader, syntax: VariableSyntaxName, speaksAtUrl: 'http' | 'sse'): EntryReader {
  const expand = (value: unknown): unknown => mapStrings(value, text => fromSyntax(text, syntax));
  const key = ['httpUrl', 'url'].find(way => reader.has(way)) ?? 'command';
  const transport = key === 'command' ? 'stdio' : key === 'url' ? speaksAtUrl : 'http';
  takeWay(reader.set('transport', transport, key), transport, expand);
  if (key === 'httpUrl') reader.take('httpUrl', 'url', expand);
  if (transport !== 'stdio') reader.take('oauth', 'oauth', value => readOAuth(value, OAUTH, expand));
  return takeTools(reader, { allow: 'includeTools', deny: 'excludeTools' })
    .take('timeout', 'tool_timeout_ms')
    .take('trust', 'trust', trust => (trust === true ? 'trusted' : 'untrusted'))
    .take('description', 'meta', description => ({ description }));
}

export function entryOf(
  { definition, old }: Parameters<ToEntry>[0],
  syntax: VariableSyntaxName,
): Record<string, unknown> {
  requireWords(definition, WORDS);
  const { transport, tools, trust, meta, tool_timeout_ms: timeout } = definition;
  const { url, ...rest } = commonEntry(definition, syntax);
  const stated = transport === 'stdio' ? undefined : definition.oauth;
  const oauth =
    transport === 'stdio' ? undefined : writeOAuth(valueAt(old, ['oauth']), stated, OAUTH, { scopes: 'list', syntax });
  return defined({
    // `url` alone has meant SSE in one version and HTTP in another; `httpUrl` has always meant one thing.
    ...(transport === 'sse' ? { url, type: 'sse' } : { httpUrl: url }),
    ...rest,
    timeout,
    trust: trust === undefined ? undefined : trust === 'trusted',
    includeTools: allowedTools(definition),
    excludeTools: tools?.deny,
    description: meta?.description,
    oauth: stated && oauth ? { enabled: true, ...oauth } : oauth,
  });
}

/** Writes entries, and switches servers on and off where these programs do that: in lists beside the entries. */
export function writeSettings(
  value: unknown,
  changes: readonly ServerChange[],
  toEntry: ToEntry,
  owned: readonly string[],
): DialectWriting {
  const { edits, leftOut } = writeEntries(
    value,
    ['mcpServers'],
    changes,
    change => {
      const lists = valueAt(value, ['mcp']);
      if (lists !== undefined && lists !== null && !isObject(lists))
        throw new Inexpressible("'mcp' in its file is no object");
      return toEntry(change);
    },
    owned,
  );
  const written = changes.filter(({ id }) => !leftOut.some(server => server.id === id));
  return { edits: [...edits, ...switchEdits(value, written)], leftOut };
}

function switchEdits(value: unknown, changes: readonly ServerChange[]): Edit[] {
  const gone = changes.filter(({ definition }) => !definition).map(({ id }) => id);
  const off = changes.filter(({ definition }) => definition?.enabled === false).map(({ id }) => id);
  const on = changes.map(({ id }) => id).filter(id => !off.includes(id) && !gone.includes(id));
  const { allowed, excluded } = listsOf(value);
  const excludedNow = [
    ...excluded.filter(id => !on.includes(id) && !gone.includes(id)),
    ...off.filter(id => isUsed(value, id)),
  ];
  const left = allowed.filter(id => !gone.includes(id));
  const edits: Edit[] = [];
  if (excludedNow.join() !== excluded.join()) edits.push({ path: ['mcp', 'excluded'], value: excludedNow });
  // An empty list allows everything: one name in it would take all others away, and the last one out let all others in.
  if (allowed.length === 0) return edits;
  const allowedNow = [...(left.length > 0 ? left : allowed), ...on.filter(id => !allowed.includes(id))];
  if (allowedNow.join() !== allowed.join()) edits.push({ path: ['mcp', 'allowed'], value: allowedNow });
  return edits;
}

function isUsed(value: unknown, id: string): boolean {
  const { allowed, excluded } = listsOf(value);
  return (allowed.length === 0 || allowed.includes(id)) && !excluded.includes(id);
}

function listsOf(value: unknown): { allowed: string[]; excluded: string[] } {
  const names = (key: string): string[] => {
    const list = valueAt(value, ['mcp', key]);
    return Array.isArray(list) ? list.filter(id => typeof id === 'string') : [];
  };
  return { allowed: names('allowed'), excluded: names('excluded') };
}

function geminiFiles({ home, cwd, env }: Surroundings): AgentFile[] {
  const parent = env.GEMINI_CLI_HOME ? resolve(cwd, env.GEMINI_CLI_HOME) : home;
  return [
    { scope: 'user', path: join(parent, '.gemini', 'settings.json') },
    { scope: 'project', path: join(cwd, '.gemini', 'settings.json') },
  ];
}
