/** Droid: `mcpServers` in `.factory/mcp.json`, as Claude Code writes them, with `disabled` and `disabledTools`. */

import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Surroundings } from '../sources/places.ts';
import type { AgentFile, Dialect, DialectProblem, ReadServer } from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings, misshapen, takeTools, takeWay } from './entry-reader.ts';
import { commonEntry, defined, requireWords, type ToEntry, writeEntries } from './entry-writer.ts';
import { fromSyntax } from './variable-syntax.ts';

const SYNTAX = 'braces-with-default';
const PLACE = /(^|[/\\])\.factory[/\\]mcp\.json$/;

export const droid: Dialect = {
  name: 'droid',
  title: 'Droid',
  format: 'json',
  recognise: (file, value) => isObject(value) && PLACE.test(file),
  read(value) {
    const readers = entriesAt(value, ['mcpServers']);
    const problems = [...misshapen(value, ['mcpServers'], 'an object'), ...readers.flatMap(untyped)];
    return { frame: {}, servers: readers.map(readServer), problems };
  },
  write: (value, changes) =>
    writeEntries(value, ['mcpServers'], changes, toEntry, ['timeout', 'disabled', 'disabledTools']),
  files: droidFiles,
};

function readServer(reader: EntryReader): ReadServer {
  const implied = reader.has('url') && !reader.has('command') ? 'http' : 'stdio';
  const transport = reader.entry.type ?? implied;
  const expand = (value: unknown): unknown => mapStrings(value, text => fromSyntax(text, SYNTAX));
  takeWay(reader.set('transport', transport, 'type'), transport, expand);
  return takeTools(reader, { deny: 'disabledTools' })
    .take('timeout', 'tool_timeout_ms')
    .take('disabled', 'enabled', value => (typeof value === 'boolean' ? !value : value))
    .done();
}

function untyped(reader: EntryReader): DialectProblem[] {
  if (reader.has('type') || reader.has('command') || !reader.has('url')) return [];
  const message = `Server '${reader.id}' has a url and no 'type', so Droid takes it for a program to start.`;
  return [{ server: reader.id, path: reader.pathOf('type'), message, fix: 'Add "type": "http", or "type": "sse".' }];
}

const toEntry: ToEntry = ({ definition }) => {
  const { transport, enabled, tools, tool_timeout_ms: timeout } = definition;
  requireWords(definition, { transports: ['stdio', 'http', 'streamable_http', 'sse'], off: true, deny: true });
  return defined({
    type: transport === 'streamable_http' ? 'http' : transport,
    ...commonEntry(definition, SYNTAX),
    timeout,
    disabled: enabled === undefined ? undefined : !enabled,
    disabledTools: tools?.deny,
  });
};

function droidFiles({ home, cwd, env }: Surroundings): AgentFile[] {
  return [
    { scope: 'user', path: join(env.FACTORY_HOME_OVERRIDE || home, '.factory', 'mcp.json') },
    { scope: 'project', path: join(cwd, '.factory', 'mcp.json') },
  ];
}
