/** Codex ToolLoop: `codex-toolloop.mcp.json`, where a server's `transport` is an object of its own, and tools come in bundles. */
import { isObject } from '../../base/json/is-object.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
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
  unknownKeyProblem,
  unknownSectionKeys,
  withBearerHeader,
  word,
  writeStrictly,
  writeWords,
} from './strictness.ts';

const OWN_PLACE = /(^|[/\\])(codex-toolloop\.mcp\.json|\.codex-toolloop[/\\]mcp\.json)$/;

const TYPE: StrictWords = { type: word('transport', { write: oneOf('stdio', 'http', 'sse') }) };
const STDIO: StrictWords = {
  ...TYPE,
  command: word('command'),
  args: word('args'),
  cwd: word('cwd'),
  env: word('env'),
};
const REMOTE: StrictWords = {
  ...TYPE,
  url: word('url'),
  headers: word('headers'),
  authProviderId: word('auth_provider'),
};
const ANY: StrictWords = { ...STDIO, ...REMOTE };

export const toolloop: Dialect = {
  name: 'toolloop',
  title: 'Codex ToolLoop',
  format: 'json',
  recognise(file, value) {
    const servers = valueAt(value, ['servers']);
    const entries = isObject(servers) ? Object.values(servers).filter(isObject) : [];
    if (entries.some(entry => isObject(entry.transport) && typeof entry.transport.type === 'string')) return true;
    // With a word for a transport it is one of ours, whatever it is called.
    return OWN_PLACE.test(file) && !entries.some(entry => typeof entry.transport === 'string');
  },
  read(value): DialectReading {
    const bundles = valueAt(value, ['bundles']);
    const problems = [...brokenSection(value, ['servers']), ...unknownSectionKeys(value, [], ['servers', 'bundles'])];
    return asReading(defined({ bundles }), entriesAt(value, ['servers']).map(readServer), problems);
  },
  write(value, changes): DialectWriting {
    return writeStrictly(value, ['servers'], changes, toEntry);
  },
};

function readServer(reader: EntryReader): StrictReading {
  const written = reader.entry.transport;
  const inside = new EntryReader(reader.id, isObject(written) ? written : {}, reader.pathOf('transport'));
  const way = readStrictly(inside, wordsFor(inside.entry.type), ANY);
  const { definition, at, ...rest } = reader.take('trust').ignore('transport').done();
  const problems = [...reader.unknownKeys().map(key => strayKey(reader, key)), ...way.problems];
  if (!reader.has('transport') || isObject(written)) {
    const server = {
      ...rest,
      definition: { ...definition, ...way.server.definition },
      at: { ...at, ...way.server.at },
    };
    return { server, problems };
  }
  const server = { ...rest, definition: { ...definition, transport: written }, at };
  return { server, problems: [notAnObject(reader), ...problems] };
}

function wordsFor(type: unknown): StrictWords {
  if (type === 'stdio') return STDIO;
  return type === 'http' || type === 'sse' ? REMOTE : ANY;
}

function strayKey(reader: EntryReader, key: string): DialectProblem {
  if (!Object.hasOwn(ANY, key)) return unknownKeyProblem(reader, key, ['trust', 'transport']);
  const message = `'${key}' of server '${reader.id}' stands outside its 'transport'.`;
  return { path: reader.pathOf(key), server: reader.id, message, fix: `Move it into 'transport'.` };
}

function notAnObject(reader: EntryReader): DialectProblem {
  return {
    path: reader.pathOf('transport'),
    server: reader.id,
    message: `The transport of server '${reader.id}' is not an object.`,
    expected: 'an object with a type',
    fix: 'Write { "type": "http", "url": … } or { "type": "stdio", "command": … }.',
  };
}

function toEntry({ trust = 'untrusted', ...definition }: McpServerDef): object {
  const words = wordsFor(definition.transport === 'streamable_http' ? 'http' : definition.transport);
  return { trust, transport: writeWords(withBearerHeader(definition), words) };
}
