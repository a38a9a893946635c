/** Copilot CLI: `mcpServers` in `~/.copilot/mcp-config.json` or `.github/mcp.json`. `tools` is required; `["*"]` means all. */

import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Surroundings } from '../sources/places.ts';
import type { AgentFile, Dialect, ReadServer } from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings, misshapen, takeWay } from './entry-reader.ts';
import { allowedTools, commonEntry, defined, requireWords, type ToEntry, writeEntries } from './entry-writer.ts';
import { fromSyntax } from './variable-syntax.ts';

const SYNTAX = 'braces-or-plain';
const PLACE = /(^|[/\\])(mcp-config\.json|\.github[/\\]mcp\.json)$/;
const TRANSPORT: Readonly<Record<string, string>> = { local: 'stdio', stdio: 'stdio', http: 'http', sse: 'sse' };

export const copilot: Dialect = {
  name: 'copilot',
  title: 'Copilot CLI',
  format: 'json',
  recognise: (file, value) => isObject(value) && PLACE.test(file),
  read(value) {
    const servers = entriesAt(value, ['mcpServers']).map(readServer);
    return { frame: {}, servers, problems: misshapen(value, ['mcpServers'], 'an object') };
  },
  write: (value, changes) => writeEntries(value, ['mcpServers'], changes, toEntry, ['tools', 'timeout']),
  files: copilotFiles,
};

function readServer(reader: EntryReader): ReadServer {
  const { type } = reader.entry;
  const transport = typeof type === 'string' ? (TRANSPORT[type] ?? type) : reader.has('url') ? undefined : 'stdio';
  const expand = (value: unknown): unknown => mapStrings(value, text => fromSyntax(text, SYNTAX));
  return takeWay(reader.set('transport', transport, 'type'), transport, expand)
    .take('tools', 'tools', readTools)
    .take('timeout', 'tool_timeout_ms')
    .done();
}

function readTools(tools: unknown): unknown {
  const all = tools === '*' || (Array.isArray(tools) && tools.includes('*'));
  return all ? undefined : { allow: tools };
}

const toEntry: ToEntry = ({ definition }) => {
  requireWords(definition, { transports: ['stdio', 'http', 'streamable_http', 'sse'], allow: true });
  const type = { stdio: 'local', http: 'http', streamable_http: 'http', sse: 'sse', ws: 'ws' }[definition.transport];
  const tools = allowedTools(definition) ?? ['*'];
  return defined({ type, ...commonEntry(definition, SYNTAX), tools, timeout: definition.tool_timeout_ms });
};

function copilotFiles({ home, cwd, env }: Surroundings): AgentFile[] {
  return [
    { scope: 'user', path: join(env.COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json') },
    { scope: 'project', path: join(cwd, '.github', 'mcp.json') },
    { scope: 'project', path: join(cwd, '.mcp.json') },
  ];
}
