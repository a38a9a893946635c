/**
 * Recognises the configs that nearly everybody writes: ours, with servers that say only the usual, and nothing wrong. It
 * is no second schema: whatever it is not sure of is read by the one there is, and a test holds the two together.
 */

import { isOwnFile } from '../dialects/own-files.ts';
import type { ConfigDocument } from '../formats/document.ts';
import type { PermissionRules } from '../schema/schema.ts';
import type { McpServerDef, RemoteServerDef } from '../schema/server-schema.ts';
import { SERVER_ID, TRANSPORTS, VARIABLE_NAME } from '../schema/server-words.ts';
import { badUrl } from '../validate/bad-url.ts';
import { unreadableRules } from '../validate/rules-check.ts';
import type { ConfigReading, ReadOptions } from './read.ts';

type Plain = Readonly<Record<string, unknown>>;
/** A copy of a value that is as it should be; undefined for any other. */
type Take = (value: unknown) => unknown;

/** Undefined: it may be good all the same, and the schema has to be asked. */
export function readPlain(document: ConfigDocument, options: ReadOptions): ConfigReading | undefined {
  const { file, value, duplicates } = document;
  if (duplicates?.length) return undefined;
  if (options.idFor || !(options.dialect === 'junctor' || (!options.dialect && isOurs(file)))) return undefined;
  if (!isPlain(value) || !isPlain(value.servers)) return undefined;
  const frame = take(value, FRAME);
  if (!frame || unreadableRules(frame as { permissions?: PermissionRules }).length > 0) return undefined;
  const servers: Record<string, McpServerDef> = Object.create(null);
  for (const [id, entry] of Object.entries(value.servers)) {
    const definition = SERVER_ID.test(id) ? plainServer(id, entry) : undefined;
    if (!definition) return undefined;
    servers[id] = definition;
  }
  const { permissions } = frame as { permissions?: PermissionRules };
  return {
    config: { ...(permissions ? { permissions } : {}), servers },
    problems: [],
    dialect: 'junctor',
    placeOf: (id, key) => servers[id] && document.locate(key === undefined ? ['servers', id] : ['servers', id, key]),
    placeInFrame: path => document.locate(path),
  };
}

/** By its name, or because it is no file at all: then no program is known for a place like this. */
function isOurs(file: string): boolean {
  return /^[($][^/\\]*$/.test(file) || isOwnFile(file);
}

function plainServer(id: string, entry: unknown): McpServerDef | undefined {
  if (!isPlain(entry)) return undefined;
  if (entry.transport === 'stdio') return take(entry, STDIO, ['transport', 'command']) as McpServerDef | undefined;
  const remote = take(entry, REMOTE, ['transport', 'url']) as RemoteServerDef | undefined;
  return remote && !badUrl(id, remote) ? remote : undefined;
}

const text: Take = value => (typeof value === 'string' ? value : undefined);
const someText: Take = value => (value === '' ? undefined : text(value));
const flag: Take = value => (typeof value === 'boolean' ? value : undefined);
const milliseconds: Take = value => (Number.isSafeInteger(value) && (value as number) > 0 ? value : undefined);
const texts: Take = value => listOf(value, text);
const names: Take = value => listOf(value, someText);
const map: Take = value =>
  isPlain(value) && Object.values(value).every(item => typeof item === 'string') ? { ...value } : undefined;
const variables: Take = value =>
  isPlain(value) && Object.keys(value).every(name => VARIABLE_NAME.test(name)) ? map(value) : undefined;

function oneOf(...words: readonly unknown[]): Take {
  return value => (words.includes(value) ? value : undefined);
}

const COMMON = {
  enabled: flag,
  trust: oneOf('trusted', 'untrusted'),
  mode: oneOf('shared', 'per_session', 'auto'),
  connect_timeout_ms: milliseconds,
  request_timeout_ms: milliseconds,
  tool_idle_timeout_ms: milliseconds,
  tool_timeout_ms: milliseconds,
  debug: flag,
  protocol: oneOf('auto', 'legacy', 'modern'),
};

// In the order of the schema, which is the order in which people are shown them.
const STDIO = { transport: oneOf('stdio'), command: someText, args: texts, cwd: someText, env: variables, ...COMMON };
const REMOTE = { transport: oneOf(...TRANSPORTS.slice(1)), url: someText, headers: map, env: variables, ...COMMON };
const RULES = { allow: names, ask: names, deny: names };
const FRAME = {
  $schema: text,
  version: oneOf(1),
  servers: () => true,
  permissions: (value: unknown) => (isPlain(value) ? take(value, RULES) : undefined),
};

/** What these takers find, in their order. Undefined where a key is none of theirs, is not as it should be, or is missing. */
function take(
  from: Plain,
  takers: Readonly<Record<string, Take>>,
  required: readonly string[] = [],
): Plain | undefined {
  const found: Record<string, unknown> = {};
  let count = 0;
  for (const [key, taker] of Object.entries(takers)) {
    if (!Object.hasOwn(from, key)) {
      if (required.includes(key)) return undefined;
      continue;
    }
    found[key] = taker(from[key]);
    if (found[key] === undefined) return undefined;
    count++;
  }
  return count === Reflect.ownKeys(from).length ? found : undefined;
}

function listOf(value: unknown, taker: Take): readonly unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = Array.from(value, taker);
  return items.includes(undefined) ? undefined : items;
}

/** An object as JSON has them: nothing inherited, nothing hidden, no key with a meaning of its own. */
function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const above: unknown = Object.getPrototypeOf(value);
  return (above === Object.prototype || above === null) && !Object.hasOwn(value, '__proto__');
}
