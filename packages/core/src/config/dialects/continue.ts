/** Continue: a list `mcpServers` in `~/.continue/config.yaml`; headers stand in `requestOptions`. */

import { join } from 'node:path';
import { isObject } from '../../base/json/is-object.ts';
import type { Edit, Path } from '../formats/document.ts';
import type { Surroundings } from '../sources/places.ts';
import type {
  AgentFile,
  Dialect,
  DialectProblem,
  DialectReading,
  DialectWriting,
  ReadServer,
  ServerChange,
} from './dialect.ts';
import { EntryReader, mapStrings, misshapen, takeWay, valueAt } from './entry-reader.ts';
import type { ToEntry } from './entry-writer.ts';
import { commonEntry, defined, Inexpressible, keepingForeignKeys, requireWords } from './entry-writer.ts';
import { fromSyntax } from './variable-syntax.ts';

const SYNTAX = 'double-braces';
const LIST: Path = ['mcpServers'];
const OWNED = ['requestOptions', 'connectionTimeout'];
const PLACE = /(^|[/\\])\.continue[/\\]([^/\\]+[/\\])*[^/\\]+\.ya?ml$/;

const TRANSPORT: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  'streamable-http': 'streamable_http',
  sse: 'sse',
};

export const continueDev: Dialect = {
  name: 'continue',
  title: 'Continue',
  format: 'yaml',
  recognise(file, value) {
    return isObject(value) && (PLACE.test(file) || itemsOf(value).some(item => isObject(item) && 'name' in item));
  },
  read(value): DialectReading {
    const items = itemsOf(value).flatMap((item, index) => (isReference(item) ? [] : [{ item, index }]));
    const readers = items.flatMap(({ item, index }) =>
      isNamed(item) ? [new EntryReader(item.name, item, [...LIST, index])] : [],
    );
    const problems = [...misshapen(value, LIST, 'a list'), ...items.flatMap(nameless), ...repeated(readers)];
    return { frame: {}, servers: readers.map(readServer), problems };
  },
  write(value, changes): DialectWriting {
    const list = valueAt(value, LIST);
    if (list !== undefined && list !== null && !Array.isArray(list)) {
      const because = "'mcpServers' in its file is no list";
      return { edits: [], leftOut: changes.filter(isWritten).map(({ id }) => ({ id, because })) };
    }
    return writeItems(list, changes);
  },
  files: continueFiles,
};

function itemsOf(value: unknown): readonly unknown[] {
  const list = valueAt(value, LIST);
  return Array.isArray(list) ? list : [];
}

/** `uses` names a server kept elsewhere, which only Continue can look up. */
function isReference(item: unknown): boolean {
  return isObject(item) && 'uses' in item;
}

function isNamed(item: unknown): item is Record<string, unknown> & { readonly name: string } {
  return isObject(item) && typeof item.name === 'string';
}

function nameless({ item, index }: { readonly item: unknown; readonly index: number }): DialectProblem[] {
  if (isNamed(item)) return [];
  const message = `Server ${index + 1} of 'mcpServers' has no name.`;
  return [{ path: [...LIST, index], message, fix: "Add a 'name' of letters, digits, _ or -." }];
}

function repeated(readers: readonly EntryReader[]): DialectProblem[] {
  const again = readers.filter((reader, index) => readers.findIndex(other => other.id === reader.id) < index);
  return again.map(reader => ({
    server: reader.id,
    path: reader.pathOf('name'),
    message: `The name '${reader.id}' stands twice in 'mcpServers'.`,
    fix: 'Rename or remove one of them.',
  }));
}

function readServer(reader: EntryReader): ReadServer {
  const { type, requestOptions } = reader.entry;
  const expand = (value: unknown): unknown => mapStrings(value, text => fromSyntax(text, SYNTAX));
  const implied = reader.has('url') && !reader.has('command') ? 'http' : 'stdio';
  const transport = typeof type === 'string' ? (TRANSPORT[type] ?? type) : implied;
  reader.set('transport', transport, 'type').take('connectionTimeout', 'connect_timeout_ms');
  if (transport === 'stdio') return takeWay(reader, transport, expand).done();
  const headers = isObject(requestOptions) ? (requestOptions.headers ?? undefined) : requestOptions;
  return reader.take('url', 'url', expand).set('headers', expand(headers), 'requestOptions').done();
}

/** Replaces first, then removes from the end, then appends: so no edit moves the place of a later one. */
function writeItems(list: readonly unknown[] | undefined | null, changes: readonly ServerChange[]): DialectWriting {
  const items = list ?? [];
  const replaced: Edit[] = [];
  const added: object[] = [];
  const leftOut: { id: string; because: string }[] = [];
  for (const { id, definition } of changes.filter(isWritten)) {
    const index = items.findIndex(item => isNamed(item) && item.name === id);
    const old = items[index];
    try {
      const item = keepingForeignKeys(old, toItem({ id, definition, old }), OWNED);
      if (index >= 0) replaced.push({ path: [...LIST, index], value: item });
      else added.push(item);
    } catch (error) {
      if (!(error instanceof Inexpressible)) throw error;
      leftOut.push({ id, because: error.message });
    }
  }
  const gone = new Set(changes.flatMap(change => (isWritten(change) ? [] : change.id)));
  const removed = items.flatMap((item, index) => (isNamed(item) && gone.has(item.name) ? index : [])).reverse();
  const removals = removed.map(index => ({ path: [...LIST, index], value: undefined }));
  const from = items.length - removed.length;
  const additions = list
    ? added.map((value, index) => ({ path: [...LIST, from + index], value }))
    : added.length > 0
      ? [{ path: LIST, value: added }]
      : [];
  return { edits: [...replaced, ...removals, ...additions], leftOut };
}

function isWritten(change: ServerChange): change is Required<ServerChange> & { definition: object } {
  return change.definition !== undefined;
}

const toItem: ToEntry = ({ id, definition, old }) => {
  requireWords(definition, { transports: ['stdio', 'http', 'streamable_http', 'sse'] });
  const { transport, connect_timeout_ms: connectionTimeout } = definition;
  const { headers, ...way } = commonEntry(definition, SYNTAX);
  const type = transport === 'http' || transport === 'streamable_http' ? 'streamable-http' : transport;
  const before = isObject(old) && isObject(old.requestOptions) ? old.requestOptions : {};
  const { headers: _headers, ...foreign } = before;
  const options = transport === 'stdio' ? {} : { ...foreign, ...defined({ headers }) };
  const requestOptions = Object.keys(options).length > 0 ? options : undefined;
  return defined({ name: id, type, ...way, requestOptions, connectionTimeout });
};

function continueFiles({ home, env }: Surroundings): AgentFile[] {
  return [{ scope: 'user', path: join(env.CONTINUE_GLOBAL_DIR || join(home, '.continue'), 'config.yaml') }];
}
