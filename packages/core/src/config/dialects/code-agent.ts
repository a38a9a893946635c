/** code_agent: `mcp` in `config.json`, or a list of servers in the variable CODE_AGENT_MCP_SERVERS. */
import { isObject } from '../../base/json/is-object.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { shown } from '../validate/shown-value.ts';
import type { Dialect, DialectProblem, DialectReading, DialectWriting } from './dialect.ts';
import { EntryReader, entriesAt, valueAt } from './entry-reader.ts';
import { defined } from './entry-writer.ts';
import {
  asReading,
  brokenSection,
  oneOf,
  readStrictly,
  type StrictReading,
  type StrictWords,
  switchesIn,
  unknownSectionKeys,
  withBearerHeader,
  word,
  writeStrictly,
  writeWords,
} from './strictness.ts';

const OWN_PLACE = /(^|[/\\])\.code_agent[/\\]config\.jsonc?$/;
/** Where `mcp.servers` is another program's: Codelia's, or VS Code's settings. */
const OTHER_PLACE = /(^|[/\\])(\.codelia[/\\]|settings\.json$)/;

/** Holds a list of servers, never a whole file. */
const LIST_VARIABLE = 'CODE_AGENT_MCP_SERVERS';

const SERVERS = ['mcp', 'servers'];
const TYPES = ['stdio', 'sse', 'http'];

const COMMON: StrictWords = {
  timeout: word('request_timeout_ms'),
  trust: word('trust', { read: readTrust, write: trust => trust === 'trusted' }),
  includeTools: word('tools.allow'),
  excludeTools: word('tools.deny'),
  debug: word('debug'),
};
const TYPE: StrictWords = { type: word('transport', { write: oneOf(...TYPES) }) };
const LAUNCH: StrictWords = { command: word('command'), args: word('args'), env: word('env'), cwd: word('cwd') };
const HEADERS: StrictWords = { headers: word('headers') };
const STDIO: StrictWords = { ...TYPE, ...LAUNCH, ...COMMON };
const SSE: StrictWords = { ...TYPE, url: word('url'), ...HEADERS, ...COMMON };
const HTTP: StrictWords = { ...TYPE, httpUrl: word('url'), ...HEADERS, ...COMMON };
const ANY: StrictWords = { ...STDIO, ...SSE, ...HTTP };

export const codeAgent: Dialect = {
  name: 'code-agent',
  title: 'code_agent',
  format: 'json',
  recognise(file, value) {
    if (OWN_PLACE.test(file)) return true;
    if (OTHER_PLACE.test(file)) return false;
    if (Array.isArray(value)) return value.some(entry => isObject(entry) && 'name' in entry && 'type' in entry);
    const mcp = valueAt(value, ['mcp']);
    if (!isObject(mcp) || 'inputs' in mcp || (mcp.servers !== undefined && !isObject(mcp.servers))) return false;
    const entries = Object.values(mcp.servers ?? {}).filter(isObject);
    if (entries.some(entry => 'transport' in entry)) return false;
    if (isObject(mcp.globalSettings) || entries.some(entry => TYPES.includes(String(entry.type)))) return true;
    return entries.length === 0 && isObject(mcp.servers) && isObject(value) && value.version === undefined;
  },
  read(value, { file }): DialectReading {
    const isList = Array.isArray(value) || file === `$${LIST_VARIABLE}`;
    return isList ? readServerArray(value) : readFile(value);
  },
  write(value, changes): DialectWriting {
    if (Array.isArray(value)) {
      const because = 'the list of servers in a variable is only read';
      return { edits: [], leftOut: changes.map(({ id }) => ({ id, because })) };
    }
    const { edits, leftOut } = writeStrictly(value, SERVERS, changes, toEntry);
    const fresh = edits.length > 0 && valueAt(value, ['mcp']) === undefined;
    return { edits: fresh ? [{ path: ['mcp', 'enabled'], value: true }, ...edits] : edits, leftOut };
  },
};

/** The servers of CODE_AGENT_MCP_SERVERS: `[{"name": …, "type": …}, …]`. */
export function readServerArray(value: unknown): DialectReading {
  if (!Array.isArray(value)) return { frame: {}, servers: [], problems: [notAList()] };
  const problems: DialectProblem[] = [];
  const readings: StrictReading[] = [];
  const seen = new Set<string>();
  for (const [index, entry] of value.entries()) {
    if (!isObject(entry) || typeof entry.name !== 'string') {
      problems.push(nameless(index));
      continue;
    }
    const { name } = entry;
    if (seen.has(name)) problems.push(twice(name, index));
    seen.add(name);
    readings.push(readServer(new EntryReader(name, entry, [index])));
  }
  return asReading({}, readings, problems);
}

function readFile(value: unknown): DialectReading {
  const mcp = valueAt(value, ['mcp']);
  const section = isObject(mcp) ? mcp : {};
  const { debug, globalSettings } = section;
  const settings = isObject(globalSettings) ? globalSettings : {};
  const defaults = defined({ request_timeout_ms: settings.timeout, debug: settings.debug ?? debug });
  const switches = switchesIn(section);
  const frame = { ...switches, ...(Object.keys(defaults).length > 0 ? { defaults } : {}) };
  const problems = [
    ...brokenSection(value, SERVERS),
    ...(isObject(mcp) ? brokenSection(value, ['mcp', 'globalSettings']) : []),
    ...unknownSectionKeys(value, ['mcp'], ['enabled', 'servers', 'globalSettings', 'debug']),
    ...unknownSectionKeys(value, ['mcp', 'globalSettings'], ['timeout', 'debug']),
  ];
  const frameAt = {
    ...Object.fromEntries(Object.keys(switches).map(key => [key, ['mcp', key]])),
    'defaults.request_timeout_ms': ['mcp', 'globalSettings', 'timeout'],
    'defaults.debug': ['mcp', ...(settings.debug === undefined ? [] : ['globalSettings']), 'debug'],
  };
  return asReading(frame, entriesAt(value, SERVERS).map(readServer), problems, frameAt);
}

function readServer(reader: EntryReader): StrictReading {
  const { type, name } = reader.entry;
  // The other type's word for the endpoint is told about below; taken all the same, it is not called missing as well.
  const misnamed = type === 'http' ? 'url' : type === 'sse' ? 'httpUrl' : undefined;
  if (misnamed) reader.set('url', reader.entry[misnamed], misnamed);
  if (name === reader.id) reader.ignore('name');
  const { server, problems } = readStrictly(reader, wordsFor(type), ANY);
  return { server, problems: [...problems, ...wrongTrust(reader)] };
}

/** Told in the words of this format, which says true where ours says "trusted". */
function wrongTrust(reader: EntryReader): DialectProblem[] {
  const { trust } = reader.entry;
  if (!reader.has('trust') || typeof trust === 'boolean') return [];
  const message = `'trust' of server '${reader.id}' must be true or false. Found ${shown(trust, [])}.`;
  const fix = 'Write true or false, without quotes.';
  return [{ server: reader.id, path: reader.pathOf('trust'), message, expected: 'boolean', fix }];
}

function wordsFor(type: unknown): StrictWords {
  if (type === 'stdio') return STDIO;
  if (type === 'sse') return SSE;
  return type === 'http' ? HTTP : ANY;
}

function toEntry(definition: McpServerDef): object {
  const words = wordsFor(definition.transport === 'streamable_http' ? 'http' : definition.transport);
  return writeWords(withBearerHeader(definition), words);
}

function readTrust(value: unknown): unknown {
  return value === true ? 'trusted' : 'untrusted';
}

function notAList(): DialectProblem {
  return { path: [], message: 'The servers are not in a list.', expected: 'a list', fix: 'Write [{ "name": … }].' };
}

function nameless(index: number): DialectProblem {
  const message = `Missing 'name' in server ${index + 1} of the list.`;
  return { path: [index], message, expected: 'an object with a name', fix: `Add "name" to it.` };
}

function twice(name: string, index: number): DialectProblem {
  const message = `The server '${name}' stands twice in the list.`;
  return { path: [index, 'name'], server: name, message, fix: 'Remove or rename one of them.' };
}
