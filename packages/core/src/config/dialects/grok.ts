/** Grok: `[mcp_servers.<name>]` in `.grok/config.toml`, with times in whole seconds. What has a url is streamable HTTP there. */

import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Surroundings } from '../sources/places.ts';
import type { AgentFile, Dialect, DialectProblem, ReadServer } from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings, misshapen, seconds, takeWay } from './entry-reader.ts';
import { commonEntry, defined, requireWords, type ToEntry, wholeSeconds, writeEntries } from './entry-writer.ts';
import { fromSyntax } from './variable-syntax.ts';

const SYNTAX = 'braces-or-plain';
const PLACE = /(^|[/\\])\.grok[/\\]config\.toml$/;
const OWNED = ['bearer_token_env_var', 'enabled', 'startup_timeout_sec', 'tool_timeout_sec', 'tool_timeouts'];

export const grok: Dialect = {
  name: 'grok',
  title: 'Grok',
  format: 'toml',
  recognise: (file, value) => isObject(value) && PLACE.test(file),
  read(value) {
    const readers = entriesAt(value, ['mcp_servers']);
    const problems = [...misshapen(value, ['mcp_servers'], 'an object'), ...readers.flatMap(sse)];
    return { frame: {}, servers: readers.map(readServer), problems };
  },
  write: (value, changes) => writeEntries(value, ['mcp_servers'], changes, toEntry, OWNED),
  files: grokFiles,
};

function readServer(reader: EntryReader): ReadServer {
  const implied = reader.has('url') && !reader.has('command') ? 'http' : 'stdio';
  const transport = isSse(reader) ? 'sse' : implied;
  const expand = (value: unknown): unknown => mapStrings(value, text => fromSyntax(text, SYNTAX));
  takeWay(reader.set('transport', transport, 'type'), transport, expand);
  if (transport !== 'stdio') reader.take('bearer_token_env_var');
  return reader
    .take('enabled')
    .take('startup_timeout_sec', 'connect_timeout_ms', seconds)
    .take('tool_timeout_sec', 'tool_timeout_ms', seconds)
    .take('tool_timeouts', 'tool_timeouts_ms', eachInSeconds)
    .done();
}

function eachInSeconds(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([tool, time]) => [tool, seconds(time)]));
}

function isSse(reader: EntryReader): boolean {
  return reader.entry.type === 'sse' && !reader.has('command');
}

function sse(reader: EntryReader): DialectProblem[] {
  if (!isSse(reader)) return [];
  const message = `Server '${reader.id}' says type "sse", which Grok stores but does not speak.`;
  const fix = 'Use the streamable HTTP url of this server, without a type.';
  return [{ server: reader.id, path: reader.pathOf('type'), message, fix }];
}

const toEntry: ToEntry = ({ definition }) => {
  requireWords(definition, { transports: ['stdio', 'http', 'streamable_http'], off: true });
  const { enabled, tool_timeouts_ms: each = {}, ...rest } = definition;
  const bearer = rest.transport === 'stdio' ? undefined : rest.bearer_token_env_var;
  const plain = rest.transport === 'stdio' ? rest : { ...rest, bearer_token_env_var: undefined };
  const times = Object.entries(each).map(([tool, time]) => [tool, wholeSeconds(time)]);
  return defined({
    ...commonEntry(plain, SYNTAX),
    bearer_token_env_var: bearer,
    enabled,
    startup_timeout_sec: wholeSeconds(rest.connect_timeout_ms),
    tool_timeout_sec: wholeSeconds(rest.tool_timeout_ms),
    tool_timeouts: times.length > 0 ? Object.fromEntries(times) : undefined,
  });
};

function grokFiles({ home, cwd, env }: Surroundings): AgentFile[] {
  return [
    { scope: 'user', path: join(env.GROK_HOME || join(home, '.grok'), 'config.toml') },
    { scope: 'project', path: join(cwd, '.grok', 'config.toml') },
  ];
}
