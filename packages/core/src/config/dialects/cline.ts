/**
 * Cline: `mcpServers` in `cline_mcp_settings.json`, flat or with a nested `transport`. It expands no variables, counts its
 * timeout in seconds, and takes a url without a type for SSE.
 */

import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Surroundings } from '../sources/places.ts';
import { literal } from '../template.ts';
import type { AgentFile, Dialect, ReadServer } from './dialect.ts';
import { EntryReader, entriesAt, mapStrings, misshapen, seconds, takeWay } from './entry-reader.ts';
import { commonEntry, defined, requireWords, type ToEntry, wholeSeconds, writeEntries } from './entry-writer.ts';

const PLACE = /(^|[/\\])cline_mcp_settings\.json$/;

const TRANSPORT: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  streamableHttp: 'streamable_http',
  http: 'http',
  sse: 'sse',
};

export const cline: Dialect = {
  name: 'cline',
  title: 'Cline',
  format: 'json',
  recognise: (file, value) => isObject(value) && PLACE.test(file),
  read(value) {
    const servers = entriesAt(value, ['mcpServers']).map(readServer);
    return { frame: {}, servers, problems: misshapen(value, ['mcpServers'], 'an object') };
  },
  write(value, changes) {
    return writeEntries(value, ['mcpServers'], changes, toEntry, ['transportType', 'disabled', 'timeout']);
  },
  files: clineFiles,
};

function readServer(reader: EntryReader): ReadServer {
  const { transport } = reader.entry;
  const whole = reader.take('disabled', 'enabled', opposite).take('timeout', 'tool_timeout_ms', seconds);
  if (!isObject(transport)) return takeTransport(whole).done();
  const inner = takeTransport(new EntryReader(reader.id, transport, reader.pathOf('transport'))).done();
  const outer = whole.done();
  return {
    ...outer,
    definition: { ...inner.definition, ...outer.definition },
    at: { ...inner.at, ...outer.at },
  };
}

function takeTransport(reader: EntryReader): EntryReader {
  const key = reader.has('type') ? 'type' : 'transportType';
  const word = reader.entry[key];
  const transport = typeof word === 'string' ? (TRANSPORT[word] ?? word) : impliedTransport(reader);
  const asWritten = (value: unknown): unknown => mapStrings(value, literal);
  return takeWay(reader.set('transport', transport, key), transport, asWritten);
}

function impliedTransport(reader: EntryReader): string {
  return reader.has('url') && !reader.has('command') ? 'sse' : 'stdio';
}

/** `disabled` as `enabled`; what is no boolean stays, for the schema to refuse. */
function opposite(value: unknown): unknown {
  return typeof value === 'boolean' ? !value : value;
}

const toEntry: ToEntry = ({ definition }) => {
  const { transport, enabled, tool_timeout_ms } = definition;
  requireWords(definition, { transports: ['stdio', 'http', 'streamable_http', 'sse'], off: true });
  return defined({
    type: transport === 'http' || transport === 'streamable_http' ? 'streamableHttp' : transport,
    ...commonEntry(definition, 'none'),
    disabled: enabled === undefined ? undefined : !enabled,
    timeout: wholeSeconds(tool_timeout_ms),
  });
};

function clineFiles(from: Surroundings): AgentFile[] {
  const inData = join('settings', 'cline_mcp_settings.json');
  const extension = join('User', 'globalStorage', 'saoudrizwan.claude-dev');
  return [
    { scope: 'user', path: join(from.home, '.cline', 'data', inData) },
    { scope: 'user', path: join(codeDirectory(from), extension, inData) },
  ];
}

/** Where VS Code keeps what belongs to a person. */
function codeDirectory({ home, env, platform }: Surroundings): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Code');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Code');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Code');
}
