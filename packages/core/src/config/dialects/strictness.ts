/**
 * Formats that know every key of theirs. Each has a vocabulary: its words, what we call them, and how their values are said
 * there. Reading, complaining and writing all follow from it.
 */
import { isObject } from '../../base/json/is-object.ts';
import { nearest } from '../../base/text/nearest.ts';
import type { Edit, Path } from '../formats/document.ts';
import { formatPath } from '../problem.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import type { DialectProblem, DialectReading, DialectWriting, ReadServer, ServerChange } from './dialect.ts';
import { type EntryReader, valueAt } from './entry-reader.ts';
import { defined, headersOf, Inexpressible } from './entry-writer.ts';

export interface Word {
  /** Our key; `tools.allow` for one inside another. */
  readonly canonical: string;
  readonly read?: (value: unknown) => unknown;
  /** Throws Inexpressible for a value the format has no way to say. */
  readonly write?: (value: unknown) => unknown;
}

export type StrictWords = Readonly<Record<string, Word>>;

export function word(canonical: string, ways: Omit<Word, 'canonical'> = {}): Word {
  return { canonical, ...ways };
}

export interface StrictReading {
  readonly server: ReadServer;
  readonly problems: readonly DialectProblem[];
}

/** Reads an entry word by word. `elsewhere` holds words that the format knows, but not in an entry like this one. */
export function readStrictly(reader: EntryReader, words: StrictWords, elsewhere: StrictWords = words): StrictReading {
  const expectedAt: Record<string, Path> = {};
  for (const [key, { canonical, read }] of Object.entries(words)) {
    reader.take(key, canonical, read);
    // A key that is missing is missed under the name the person would have written.
    expectedAt[canonical] ??= reader.pathOf(key);
  }
  const { definition, at, ...rest } = reader.done();
  const known = Object.keys(words);
  const problems = reader
    .unknownKeys()
    .map(key => (Object.hasOwn(elsewhere, key) ? misplacedKey : unknownKeyProblem)(reader, key, known));
  return { server: { ...rest, definition: nested(definition), at: { ...expectedAt, ...at } }, problems };
}

export function asReading(
  frame: DialectReading['frame'],
  readings: readonly StrictReading[],
  problems: readonly DialectProblem[],
  frameAt?: DialectReading['frameAt'],
): DialectReading {
  return {
    frame,
    ...(frameAt ? { frameAt } : {}),
    servers: readings.map(reading => reading.server),
    problems: [...problems, ...readings.flatMap(reading => reading.problems)],
  };
}

/** A key that a strict format does not know. */
export function unknownKeyProblem(reader: EntryReader, key: string, known: readonly string[] = []): DialectProblem {
  const message = `Unknown key '${key}' in server '${reader.id}'.`;
  return { path: reader.pathOf(key), server: reader.id, message, ...suggestion(key, known) };
}

function misplacedKey(reader: EntryReader, key: string, known: readonly string[]): DialectProblem {
  const message = `'${key}' does not go with ${String(reader.entry.type)} server '${reader.id}'.`;
  return { path: reader.pathOf(key), server: reader.id, message, ...suggestion(key, known) };
}

/** Keys of a section outside the servers that the format does not know. */
export function unknownSectionKeys(value: unknown, path: Path, known: readonly string[]): DialectProblem[] {
  const section = valueAt(value, path);
  if (!isObject(section)) return [];
  const where = path.length === 0 ? '' : ` in '${formatPath(path)}'`;
  // What may have been meant as the switch is told of where switches are judged.
  const told = known.includes('enabled') ? [...known, ...Object.keys(switchesIn(section))] : known;
  const unknown = Object.keys(section).filter(key => !told.includes(key));
  return unknown.map(key => ({
    path: [...path, key],
    message: `Unknown key '${key}'${where}.`,
    ...suggestion(key, known),
  }));
}

/** Tells when something on the way to a section stands there and is not an object, so that nothing inside could be read. */
export function brokenSection(value: unknown, path: Path): DialectProblem[] {
  for (let length = 0; length <= path.length; length++) {
    const prefix = path.slice(0, length);
    const found = valueAt(value, prefix);
    if (found === undefined) return [];
    if (isObject(found)) continue;
    const what = length === 0 ? 'The config' : `'${formatPath(prefix)}'`;
    return [{ path: prefix, message: `${what} is not an object.`, expected: 'an object', fix: 'Write { … } there.' }];
  }
  return [];
}

/** What a section says about being on, also where that is misspelt: it is judged as in a file of our own. */
export function switchesIn(section: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(section).filter(([key]) => nearest(key, ['enabled']) !== undefined));
}

/** Words that mean the same in different formats. */
const SAME_MEANING = [
  ['transport', 'type'],
  ['command', 'program'],
  ['url', 'httpUrl'],
  ['timeout', 'request_timeout_ms'],
  ['connect_timeout_ms', 'startup_timeout_sec'],
  ['auth_provider', 'authProviderId'],
  ['includeTools', 'enabled_tools', 'allowTools'],
  ['excludeTools', 'disabled_tools', 'denyTools'],
];

function suggestion(key: string, known: readonly string[]): Pick<DialectProblem, 'expected' | 'fix'> {
  const alike = SAME_MEANING.find(words => words.includes(key))?.find(other => known.includes(other));
  const meant = alike ?? nearest(key, known);
  const fix = meant ? `Did you mean '${meant}'?` : 'Remove it, or check its spelling.';
  return known.length > 0 ? { expected: known.join(', '), fix } : { fix };
}

/** What a missing key means anyway: a format without a word for it needs none to say this. */
const IMPLIED: Readonly<Record<string, unknown>> = {
  enabled: true,
  trust: 'untrusted',
  mode: 'auto',
  protocol: 'auto',
  'tools.deny': [],
};

/** A definition in the format's own words, in the order of the vocabulary. */
export function writeWords(definition: object, words: StrictWords): Record<string, unknown> {
  const unsaid = new Map(flat(definition));
  const entry: Record<string, unknown> = {};
  for (const [key, { canonical, write }] of Object.entries(words)) {
    if (!unsaid.has(canonical)) continue;
    const value = unsaid.get(canonical);
    entry[key] = write ? write(value) : value;
    unsaid.delete(canonical);
  }
  for (const [canonical, value] of unsaid) {
    if (!same(IMPLIED[canonical], value)) throw new Inexpressible(`it has no key for '${canonical}'`);
  }
  return entry;
}

/** Changes what differs and nothing else. Nothing stays of an old entry that the new one does not say: there are no foreign keys. */
export function writeStrictly(
  value: unknown,
  path: Path,
  changes: readonly ServerChange[],
  toEntry: (definition: McpServerDef) => object,
): DialectWriting {
  const [broken] = brokenSection(value, path);
  const edits: Edit[] = [];
  const leftOut: { id: string; because: string }[] = [];
  for (const { id, definition } of changes) {
    const place = [...path, id];
    try {
      if (broken) throw new Inexpressible(`${formatPath(broken.path) || 'the file'} is not an object`);
      edits.push(...differences(valueAt(value, place), { path: place, value: definition && toEntry(definition) }));
    } catch (error) {
      if (!(error instanceof Inexpressible)) throw error;
      leftOut.push({ id, because: error.message });
    }
  }
  return { edits, leftOut };
}

/** The smallest edits that turn what stands somewhere into something else. */
export function differences(old: unknown, { path, value }: Edit): Edit[] {
  if (same(old, value)) return [];
  if (!isObject(old) || !isObject(value)) return [{ path, value }];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(value)])];
  return keys.flatMap(key => differences(old[key], { path: [...path, key], value: value[key] }));
}

/** How a transport is written in a format that has these words for it. */
export function oneOf(...words: readonly string[]): (transport: unknown) => string {
  return transport => {
    if (typeof transport !== 'string') throw new Inexpressible('it writes the transport as a word');
    const written = transport === 'streamable_http' && !words.includes('streamable_http') ? 'http' : transport;
    if (!words.includes(written)) throw new Inexpressible(`it knows no ${written} servers`);
    return written;
  };
}

/** For formats that have no key for a bearer token. */
export function withBearerHeader(definition: McpServerDef): object {
  if (definition.transport === 'stdio') return definition;
  const { bearer_token_env_var: _variable, ...rest } = definition;
  return defined({ ...rest, headers: headersOf(definition) });
}

/** `{'tools.allow': x}` as `{tools: {allow: x}}`. */
function nested(definition: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [canonical, value] of Object.entries(definition)) {
    const [key = '', inner] = canonical.split('.');
    whole[key] = inner === undefined ? value : { ...(whole[key] as object | undefined), [inner]: value };
  }
  return whole;
}

function flat(definition: object): (readonly [string, unknown])[] {
  return Object.entries(definition)
    .flatMap(([key, value]) =>
      key === 'tools' && isObject(value)
        ? Object.entries(value).map(([inner, list]) => [`tools.${inner}`, list] as const)
        : [[key, value] as const],
    )
    .filter(([, value]) => value !== undefined);
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
