/** Kimi: `mcpServers` in `.kimi-code/mcp.json`. It expands no variables: a bearer token's variable is named in its own key. */

import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import type { Surroundings } from '../sources/places.ts';
import { literal } from '../template.ts';
import type { AgentFile, Dialect, ReadServer } from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings, misshapen, takeTools, takeWay } from './entry-reader.ts';
import { allowedTools, commonEntry, defined, requireWords, type ToEntry, writeEntries } from './entry-writer.ts';

const PLACE = /(^|[/\\])\.kimi-code[/\\]mcp\.json$/;
const OWNED = ['bearerTokenEnvVar', 'enabled', 'startupTimeoutMs', 'toolTimeoutMs', 'enabledTools', 'disabledTools'];

export const kimi: Dialect = {
  name: 'kimi',
  title: 'Kimi Code',
  format: 'json',
  recognise: (file, value) => isObject(value) && PLACE.test(file),
  read(value) {
    const servers = entriesAt(value, ['mcpServers']).map(readServer);
    return { frame: {}, servers, problems: misshapen(value, ['mcpServers'], 'an object') };
  },
  write: (value, changes) => writeEntries(value, ['mcpServers'], changes, toEntry, OWNED),
  files: kimiFiles,
};

function readServer(reader: EntryReader): ReadServer {
  const implied = reader.has('url') && !reader.has('command') ? 'http' : 'stdio';
  const transport = reader.entry.transport ?? implied;
  takeWay(reader.set('transport', transport, 'transport'), transport, value => mapStrings(value, literal));
  if (transport !== 'stdio') reader.take('bearerTokenEnvVar', 'bearer_token_env_var');
  return takeTools(reader, { allow: 'enabledTools', deny: 'disabledTools' })
    .take('enabled')
    .take('startupTimeoutMs', 'connect_timeout_ms')
    .take('toolTimeoutMs', 'tool_timeout_ms')
    .done();
}

const toEntry: ToEntry = ({ definition }) => {
  const transports = ['stdio', 'http', 'streamable_http', 'sse'] as const;
  requireWords(definition, { transports, off: true, allow: true, deny: true });
  const { token, rest } = withoutBearer(definition);
  return defined({
    transport: definition.transport === 'streamable_http' ? 'http' : definition.transport,
    ...commonEntry(rest, 'none'),
    bearerTokenEnvVar: token,
    enabled: definition.enabled,
    startupTimeoutMs: definition.connect_timeout_ms,
    toolTimeoutMs: definition.tool_timeout_ms,
    enabledTools: allowedTools(definition),
    disabledTools: definition.tools?.deny,
  });
};

/** The variable that holds the bearer token, whether a key or a header says so, and the definition without it. */
function withoutBearer(definition: McpServerDef): { token?: string | undefined; rest: McpServerDef } {
  if (definition.transport === 'stdio') return { rest: definition };
  const { bearer_token_env_var: named, headers = {}, ...others } = definition;
  if (named !== undefined) return { token: named, rest: { ...others, ...defined({ headers: definition.headers }) } };
  const header = Object.keys(headers).find(name => /^authorization$/i.test(name)) ?? '';
  const token = /^Bearer \$\{(\w+)\}$/.exec(headers[header] ?? '')?.[1];
  if (token === undefined) return { rest: definition };
  const { [header]: _said, ...remaining } = headers;
  return { token, rest: { ...others, ...(Object.keys(remaining).length > 0 ? { headers: remaining } : {}) } };
}

function kimiFiles({ home, cwd, env }: Surroundings): AgentFile[] {
  return [
    { scope: 'user', path: join(env.KIMI_CODE_HOME || join(home, '.kimi-code'), 'mcp.json') },
    { scope: 'project', path: join(cwd, '.kimi-code', 'mcp.json') },
  ];
}
