/** Kandev: the servers of one agent as JSON, with what people are shown of them in a map of its own. */

import { isObject } from '../../base/json/is-object.ts';
import { agentId } from '../agent-id.ts';
import type { Edit, Path } from '../formats/document.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import type { Dialect, DialectProblem, DialectReading, DialectWriting, ServerChange } from './dialect.ts';
import { type EntryReader, entriesAt, valueAt } from './entry-reader.ts';
import { Inexpressible } from './entry-writer.ts';
import {
  asReading,
  brokenSection,
  differences,
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

const OTHER_PLACE = /(^|[/\\])(\.vscode[/\\]|\.?codex-toolloop[./\\])|[/\\]User[/\\](.*[/\\])?mcp\.json$/;
/** A file of this name that holds nothing but servers is more likely an editor's. */
const EDITOR_NAME = /(^|[/\\])\.?mcp\.jsonc?$/;

const WORDS: StrictWords = {
  type: word('transport', { write: oneOf('stdio', 'http', 'sse', 'streamable_http') }),
  command: word('command'),
  args: word('args'),
  env: word('env'),
  url: word('url'),
  headers: word('headers'),
  mode: word('mode'),
};

export const kandev: Dialect = {
  name: 'kandev',
  title: 'Kandev',
  format: 'json',
  recognise(file, value) {
    if (!isObject(value) || !isObject(value.servers) || OTHER_PLACE.test(file)) return false;
    if ('version' in value || '$schema' in value || 'inputs' in value) return false;
    const entries = Object.values(value.servers).filter(isObject);
    if (entries.some(entry => 'transport' in entry)) return false;
    if (typeof value.agent_id === 'string' || isObject(value.meta)) return true;
    if (!entries.some(entry => typeof entry.type === 'string')) return false;
    const unmistakable = entries.some(entry => 'mode' in entry || entry.type === 'streamable_http');
    return 'enabled' in value || unmistakable || !EDITOR_NAME.test(file);
  },
  read(value): DialectReading {
    const readings = entriesAt(value, ['servers']).map(reader => readServer(reader, value));
    const problems = [
      ...brokenSection(value, ['servers']),
      ...(isObject(value) ? brokenSection(value, ['meta']) : []),
      ...unknownSectionKeys(value, [], ['agent_id', 'enabled', 'servers', 'meta']),
      ...wrongAgent(value),
    ];
    const reading = asReading(frameOf(value, readings), readings, problems, frameAt(value));
    const agent = valueAt(value, ['agent_id']);
    return typeof agent === 'string' ? { ...reading, agent: agentId(agent) } : reading;
  },
  write(value, changes): DialectWriting {
    const { edits, leftOut } = writeStrictly(value, ['servers'], changes, definition => toEntry(definition, value));
    const written = changes.filter(({ id }) => !leftOut.some(other => other.id === id));
    const fresh = edits.length > 0 && valueAt(value, ['servers']) === undefined;
    const switchedOn = fresh && valueAt(value, ['enabled']) === undefined ? [{ path: ['enabled'], value: true }] : [];
    return { edits: [...switchedOn, ...edits, ...metaEdits(value, written)], leftOut };
  },
};

function readServer(reader: EntryReader, value: unknown): StrictReading {
  const { server, problems } = readStrictly(reader, WORDS);
  const path = ['meta', server.id];
  const meta = metaOf(value, server.id);
  const definition = meta === undefined ? server.definition : { ...server.definition, meta };
  return { server: { ...server, definition, at: { ...server.at, meta: path } }, problems };
}

function metaOf(value: unknown, id: string): unknown {
  const meta = valueAt(value, ['meta']);
  return isObject(meta) && Object.hasOwn(meta, id) ? (meta[id] ?? undefined) : undefined;
}

/** With an agent named, switch and servers are that agent's; without one, the switch is the file's. */
function frameOf(value: unknown, readings: readonly StrictReading[]): Record<string, unknown> {
  const whole = isObject(value) ? value : {};
  const { agent_id: agent } = whole;
  const switches = switchesIn(whole);
  if (typeof agent !== 'string') return { ...switches };
  const servers = readings.map(({ server }) => server.id);
  return { agents: { [agentId(agent)]: { ...switches, servers } } };
}

function frameAt(value: unknown): Record<string, Path> {
  const agent = valueAt(value, ['agent_id']);
  return typeof agent === 'string' ? { [`agents.${agentId(agent)}`]: [] } : {};
}

function wrongAgent(value: unknown): DialectProblem[] {
  const agent = valueAt(value, ['agent_id']);
  if (agent === undefined || typeof agent === 'string') return [];
  const message = `'agent_id' is not a text.`;
  return [{ path: ['agent_id'], message, expected: 'the id of an agent', fix: 'Write it in quotes, or leave it out.' }];
}

function toEntry({ meta, ...definition }: McpServerDef, value: unknown): object {
  if (meta && brokenSection(value, ['meta']).length > 0) throw new Inexpressible('meta is not an object');
  return writeWords(withBearerHeader(definition), WORDS);
}

function metaEdits(value: unknown, changes: readonly ServerChange[]): Edit[] {
  return changes.flatMap(({ id, definition }) =>
    differences(metaOf(value, id), { path: ['meta', id], value: definition?.meta }),
  );
}
