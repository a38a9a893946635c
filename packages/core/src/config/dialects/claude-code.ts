/** Claude Code: `mcpServers` in `~/.claude.json`, for all folders or for one, and in a project's `.mcp.json`. */

import { join, resolve } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Surroundings } from '../sources/places.ts';
import { literal } from '../template.ts';
import type { AgentFile, Dialect, DialectProblem, ReadServer } from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings, misshapen, readOAuth, takeWay, valueAt } from './entry-reader.ts';
import {
  commonEntry,
  defined,
  requireWords,
  type ToEntry,
  type Words,
  writeEntries,
  writeOAuth,
} from './entry-writer.ts';
import { fromSyntax } from './variable-syntax.ts';

const SYNTAX = 'braces-with-default';
const OAUTH = { clientId: 'client_id', scopes: 'scope' };

/** It accepts `cwd` and `disabled` in an entry, and then pays no attention to them. */
const WORDS: Words = { transports: ['stdio', 'http', 'streamable_http', 'sse', 'ws'], deny: true, cwd: false };

/** Its words for a transport, and ours. */
const TRANSPORT: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'streamable_http',
  sse: 'sse',
  ws: 'ws',
};

/** Where others keep `mcpServers`, and may mean something else by the same words. */
const OTHER_PLACE =
  /(^|[/\\])(\.(cursor|factory|gemini|github|kimi-code|qwen)[/\\]|(claude_desktop_config|cline_mcp_settings|mcp-config|mcp_config)\.json$)/;

export const claudeCode: Dialect = {
  name: 'claude-code',
  title: 'Claude Code',
  format: 'json',
  recognise(file, value) {
    if (!isObject(value)) return false;
    if (/(^|[/\\])\.claude\.json$/.test(file)) return true;
    if (/(^|[/\\])\.mcp\.json$/.test(file)) return value.mcpServers !== undefined;
    const readers = entriesAt(value, ['mcpServers']);
    return readers.length > 0 && readers.every(isPlain) && !OTHER_PLACE.test(file);
  },
  read(value, { project }) {
    // Its local scope stands in the same file, under the folder it is for.
    const local = project === undefined ? [] : entriesAt(value, ['projects', project, 'mcpServers']);
    const ids = new Set(local.map(({ id }) => id));
    const readers = [...local, ...entriesAt(value, ['mcpServers']).filter(({ id }) => !ids.has(id))];
    const servers = readers.filter(reader => !isUntyped(reader)).map(readServer);
    const untyped = readers.filter(isUntyped).map(untypedProblem);
    return { frame: {}, servers, problems: [...misshapen(value, ['mcpServers'], 'an object'), ...untyped] };
  },
  write: (value, changes) => writeEntries(value, ['mcpServers'], changes, toEntry, ['timeout', 'oauth', 'tools']),
  files: claudeFiles,
};

/** What most programs write alike. Any further key, such as `disabled`, may mean something that Claude Code would not heed. */
const PLAIN_KEYS = ['type', 'command', 'args', 'env', 'url', 'headers', 'headersHelper', 'alwaysLoad'];

function isPlain(reader: EntryReader): boolean {
  const { type } = reader.entry;
  if (!Object.keys(reader.entry).every(key => PLAIN_KEYS.includes(key))) return false;
  const isKnown = typeof type === 'string' && Object.hasOwn(TRANSPORT, type);
  return (reader.has('command') && (type === undefined || type === 'stdio')) || (reader.has('url') && isKnown);
}

function readServer(reader: EntryReader): ReadServer {
  const { type } = reader.entry;
  const transport = typeof type === 'string' ? (TRANSPORT[type] ?? type) : (type ?? 'stdio');
  const expand = (value: unknown): unknown => mapStrings(value, text => fromSyntax(text, SYNTAX));
  takeWay(reader.set('transport', transport, 'type'), transport, expand, { cwd: false });
  // There it expands nothing.
  if (transport !== 'stdio')
    reader.take('oauth', 'oauth', value => readOAuth(value, OAUTH, text => mapStrings(text, literal)));
  return reader.take('timeout', 'tool_timeout_ms').take('tools', 'tools', deniedTools).done();
}

function isUntyped(reader: EntryReader): boolean {
  return reader.has('url') && !reader.has('type') && !reader.has('command');
}

/** Claude Code passes over such a server without a word. */
function untypedProblem(reader: EntryReader): DialectProblem {
  return {
    path: reader.pathOf('type'),
    server: reader.id,
    message: `Claude Code ignores server '${reader.id}': it has a 'url' but no 'type'.`,
    expected: '"http", "sse" or "ws"',
    fix: 'Add "type": "http", or "type": "sse".',
  };
}

const DENIED = 'always_deny';

function deniedTools(rules: unknown): unknown {
  const denied = (Array.isArray(rules) ? rules : []).filter(
    rule => isObject(rule) && rule.permission_policy === DENIED,
  );
  return denied.length > 0 ? { deny: denied.map(rule => rule.name) } : undefined;
}

const toEntry: ToEntry = ({ definition, old }) => {
  requireWords(definition, WORDS);
  const { transport, tools, tool_timeout_ms: timeout } = definition;
  return defined({
    type: transport === 'streamable_http' ? 'streamable-http' : transport,
    ...commonEntry(definition, SYNTAX),
    timeout,
    oauth:
      transport === 'stdio'
        ? undefined
        : writeOAuth(valueAt(old, ['oauth']), definition.oauth, OAUTH, { scopes: 'text', syntax: 'none' }),
    tools: toolRules(valueAt(old, ['tools']), tools?.deny ?? []),
  });
};

/** Its rules that let tools run, or ask first, are its own business, and stay. */
function toolRules(old: unknown, deny: readonly string[]): unknown {
  const kept = (Array.isArray(old) ? old : []).filter(
    rule => !isObject(rule) || (rule.permission_policy !== DENIED && !deny.includes(String(rule.name))),
  );
  const rules = [...kept, ...deny.map(name => ({ name, permission_policy: DENIED }))];
  return rules.length > 0 ? rules : undefined;
}

function claudeFiles({ home, cwd, env }: Surroundings): AgentFile[] {
  const folder = env.CLAUDE_CONFIG_DIR ? resolve(cwd, env.CLAUDE_CONFIG_DIR) : home;
  return [
    { scope: 'user', path: join(folder, '.claude.json') },
    { scope: 'project', path: join(cwd, '.mcp.json') },
  ];
}
