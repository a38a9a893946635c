/** Codelia: `mcp.servers` in `config.json`. `${…}` stays literal there, and its request timeout limits tool calls too. */
import { isObject } from '../../base/json/is-object.ts';
import type { McpServerDef, RemoteServerDef } from '../schema/server-schema.ts';
import { literal } from '../template.ts';
import type { Dialect, DialectProblem, DialectReading, DialectWriting } from './dialect.ts';
import { type EntryReader, entriesAt, mapStrings, valueAt } from './entry-reader.ts';
import { Inexpressible, inSyntax, unspokenSignIn } from './entry-writer.ts';
import {
  asReading,
  brokenSection,
  oneOf,
  readStrictly,
  type StrictReading,
  type StrictWords,
  unknownSectionKeys,
  word,
  writeStrictly,
  writeWords,
} from './strictness.ts';

const OWN_PLACE = /(^|[/\\])\.codelia[/\\]config\.jsonc?$/;
/** There `mcp.servers` is written in the other format that has it. */
const CODE_AGENT_PLACE = /(^|[/\\])\.code_agent[/\\]/;

const SERVERS = ['mcp', 'servers'];

const text = {
  read: (value: unknown) => mapStrings(value, literal),
  write: (value: unknown) => inSyntax(value, 'none'),
};

const WORDS: StrictWords = {
  transport: word('transport', { write: oneOf('stdio', 'http') }),
  command: word('command', text),
  args: word('args', text),
  cwd: word('cwd', text),
  url: word('url', text),
  headers: word('headers', text),
  env: word('env', text),
  enabled: word('enabled'),
  request_timeout_ms: word('request_timeout_ms'),
  oauth: word('oauth', { read: text.read, write: writeOAuth }),
};

export const codelia: Dialect = {
  name: 'codelia',
  title: 'Codelia',
  format: 'json',
  recognise(file, value) {
    if (OWN_PLACE.test(file)) return true;
    const servers = valueAt(value, SERVERS);
    if (!isObject(servers) || CODE_AGENT_PLACE.test(file)) return false;
    const entries = Object.values(servers).filter(isObject);
    if (entries.some(entry => typeof entry.transport === 'string')) return true;
    return isObject(value) && value.version === 1 && !entries.some(entry => 'type' in entry);
  },
  read(value): DialectReading {
    const problems = [
      ...otherVersion(value),
      ...brokenSection(value, SERVERS),
      ...unknownSectionKeys(value, ['mcp'], ['servers']),
    ];
    return asReading({}, entriesAt(value, SERVERS).map(readServer), problems);
  },
  write(value, changes): DialectWriting {
    const { edits, leftOut } = writeStrictly(value, SERVERS, changes, definition =>
      writeWords(withOneTimeout(definition), WORDS),
    );
    const fresh = edits.length > 0 && isObject(value) && Object.keys(value).length === 0;
    return { edits: fresh ? [{ path: ['version'], value: 1 }, ...edits] : edits, leftOut };
  },
};

/** Its servers count all the same: what a later version means by them is not known. */
function otherVersion(value: unknown): DialectProblem[] {
  const version = valueAt(value, ['version']);
  if (version === undefined || version === 1) return [];
  const message = 'Junctor knows version 1 of this format, and reads the file as that.';
  return [{ path: ['version'], message, expected: '1', fix: 'Check that its servers are what you mean, or write 1.' }];
}

function readServer(reader: EntryReader): StrictReading {
  // A wrong number is told about once, under the key that was written.
  reader.take('request_timeout_ms', 'tool_timeout_ms', value => (isMilliseconds(value) ? value : undefined));
  return readStrictly(reader, WORDS);
}

function isMilliseconds(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function withOneTimeout({ tool_timeout_ms: forTools, ...definition }: McpServerDef): object {
  if (forTools === undefined || forTools === definition.request_timeout_ms) return definition;
  throw new Inexpressible('its one timeout is for requests and tool calls alike');
}

function writeOAuth(value: unknown): unknown {
  if (value === false) throw new Inexpressible('it has no way to turn signing in off');
  const unspoken = unspokenSignIn(value as RemoteServerDef['oauth']);
  if (unspoken !== undefined) throw new Inexpressible(`it has no way to write oauth.${unspoken}`);
  return text.write(value);
}
