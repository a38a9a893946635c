/**
 * The map of servers that many programs share and none owns: Qoder, Auggie, mcporter, the MCP Inspector, Roo, JetBrains,
 * Kiro and Antigravity as `mcpServers`, Amp as `amp.mcpServers`, Crush as `mcp`. It is read the way most of them mean it,
 * and not written: each of these programs has words of its own.
 */
import { isObject } from '../../base/json/is-object.ts';
import type { Path } from '../formats/document.ts';
import type { Dialect, ReadServer } from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings } from './entry-reader.ts';
import { fromSyntax } from './variable-syntax.ts';

const PLACES: readonly Path[] = [['mcpServers'], ['amp.mcpServers'], ['mcp']];

const TRANSPORT: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  remote: 'http',
  'streamable-http': 'streamable_http',
  streamableHttp: 'streamable_http',
  streamable_http: 'streamable_http',
  sse: 'sse',
  ws: 'ws',
};

export const sharedMap: Omit<Dialect, 'name'> = {
  title: 'an mcpServers file',
  format: 'json',
  recognise(_file, value) {
    if (!isObject(value)) return false;
    if (isObject(value.mcpServers) || isObject(value['amp.mcpServers'])) return true;
    // Crush: every entry says how it is reached.
    const entries = isObject(value.mcp) ? Object.values(value.mcp).filter(isObject) : [];
    return entries.length > 0 && entries.every(({ type }) => typeof type === 'string' && type in TRANSPORT);
  },
  read(value) {
    const readers = PLACES.flatMap(path => entriesAt(value, path));
    return { frame: {}, servers: readers.map(readServer), problems: [] };
  },
};

function readServer(reader: EntryReader): ReadServer {
  const { type, transport } = reader.entry;
  const word = typeof type === 'string' ? type : typeof transport === 'string' ? transport : undefined;
  const address = ['url', 'serverUrl', 'httpUrl'].find(key => reader.has(key));
  const known = word === undefined ? (address === undefined ? 'stdio' : 'http') : (TRANSPORT[word] ?? word);
  const expand = (written: unknown): unknown => mapStrings(written, text => fromSyntax(text, 'braces-with-default'));
  const tools = {
    ...(Array.isArray(reader.entry.includeTools) ? { allow: reader.entry.includeTools } : {}),
    ...(Array.isArray(reader.entry.disabled_tools) ? { deny: reader.entry.disabled_tools } : {}),
    ...(Array.isArray(reader.entry.disabledTools) ? { deny: reader.entry.disabledTools } : {}),
  };
  reader.set('transport', known, typeof type === 'string' ? 'type' : 'transport');
  if (known === 'stdio') for (const key of ['command', 'args', 'env', 'cwd']) reader.take(key, key, expand);
  else {
    if (address !== undefined) reader.take(address, 'url', expand);
    reader.take('headers', 'headers', expand);
  }
  if (reader.entry.disabled === true) reader.set('enabled', false, 'disabled');
  return reader
    .take('enabled')
    .set('tools', Object.keys(tools).length > 0 ? tools : undefined)
    .done();
}
