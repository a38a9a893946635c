/** Windsurf: `mcpServers` in `~/.codeium/windsurf/mcp_config.json`. It finds out itself whether a url speaks HTTP or SSE. */

import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Dialect, DialectProblem, ReadServer } from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings, misshapen, takeTools, takeWay } from './entry-reader.ts';
import { commonEntry, defined, requireWords, type ToEntry, type Words, writeEntries } from './entry-writer.ts';
import { fromSyntax } from './variable-syntax.ts';

const SYNTAX = 'dollar-env';
const PLACE = /(^|[/\\])windsurf(-next)?[/\\]mcp_config\.json$/;
const WORDS: Words = { transports: ['stdio', 'http', 'streamable_http', 'sse'], off: true, deny: true, cwd: false };

export const windsurf: Dialect = {
  name: 'windsurf',
  title: 'Windsurf',
  format: 'json',
  recognise(file, value) {
    if (!isObject(value)) return false;
    return PLACE.test(file) || entriesAt(value, ['mcpServers']).some(reader => reader.has('serverUrl'));
  },
  read(value) {
    const readers = entriesAt(value, ['mcpServers']);
    const problems = readers.flatMap(fromFile);
    const refused = new Set(problems.map(problem => problem.server));
    const servers = readers.filter(reader => !refused.has(reader.id)).map(readServer);
    return { frame: {}, servers, problems: [...misshapen(value, ['mcpServers'], 'an object'), ...problems] };
  },
  write: (value, changes) => writeEntries(value, ['mcpServers'], changes, toEntry, ['disabled', 'disabledTools']),
  files: ({ home }) => [{ scope: 'user', path: join(home, '.codeium', 'windsurf', 'mcp_config.json') }],
};

function readServer(reader: EntryReader): ReadServer {
  const expand = (value: unknown): unknown => mapStrings(value, text => fromSyntax(text, SYNTAX));
  const key = ['command', 'serverUrl', 'url'].find(way => reader.has(way)) ?? 'command';
  const transport = key === 'command' ? 'stdio' : 'http';
  takeWay(reader.set('transport', transport, key), transport, expand, { cwd: false });
  if (key === 'serverUrl') reader.take('serverUrl', 'url', expand);
  return takeTools(reader, { deny: 'disabledTools' })
    .take('disabled', 'enabled', value => (typeof value === 'boolean' ? !value : value))
    .done();
}

/** A server that takes a text from a file: what stands in there is usually a secret, and does not belong into a definition. */
function fromFile(reader: EntryReader): DialectProblem[] {
  const found = /\$\{file:[^}]*\}/.exec(JSON.stringify(reader.entry));
  if (!found) return [];
  const message = `Only Windsurf itself reads ${found[0]}, which server '${reader.id}' needs.`;
  const fix = `Put the text into an environment variable, and write \${env:NAME}.`;
  return [{ path: reader.pathOf('command'), server: reader.id, message, fix }];
}

const toEntry: ToEntry = ({ definition }) => {
  requireWords(definition, WORDS);
  const { enabled, tools } = definition;
  const { url: serverUrl, ...rest } = commonEntry(definition, SYNTAX);
  const disabled = enabled === undefined ? undefined : !enabled;
  return defined({ serverUrl, ...rest, disabled, disabledTools: tools?.deny });
};
