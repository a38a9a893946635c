/** Reads one server entry of a foreign file key by key: what is taken gets its canonical name and remembers its place. */
import { isObject } from '../../base/json/is-object.ts';
import type { Path } from '../formats/document.ts';
import type { DialectProblem, ReadServer } from './dialect.ts';

export type Entry = Readonly<Record<string, unknown>>;

export class EntryReader {
  readonly id: string;
  readonly entry: Entry;
  readonly #path: Path;
  readonly #definition: Record<string, unknown> = {};
  readonly #at: Record<string, Path> = {};
  readonly #seen = new Set<string>();

  constructor(id: string, entry: Entry, path: Path) {
    this.id = id;
    this.entry = entry;
    this.#path = path;
  }

  has(key: string): boolean {
    return this.entry[key] !== undefined && this.entry[key] !== null;
  }

  /** Takes a key over, under its canonical name and converted where it means the same in another unit or shape. */
  take(key: string, canonical: string = key, convert: (value: unknown) => unknown = value => value): this {
    this.#seen.add(key);
    if (!this.has(key)) return this;
    return this.set(canonical, convert(this.entry[key]), key);
  }

  /** Says something the entry says in another way; `key` is what in the entry says it. */
  set(canonical: string, value: unknown, key?: string): this {
    if (value === undefined) return this;
    this.#definition[canonical] = value;
    this.#at[canonical] = key === undefined ? this.#path : [...this.#path, key];
    return this;
  }

  /** Keys that mean something to the agent and nothing to us. */
  ignore(...keys: string[]): this {
    for (const key of keys) this.#seen.add(key);
    return this;
  }

  /** Keys that were neither taken nor ignored. */
  unknownKeys(): string[] {
    return Object.keys(this.entry).filter(key => !this.#seen.has(key));
  }

  pathOf(key: string): Path {
    return [...this.#path, key];
  }

  done(): ReadServer {
    return { id: this.id, definition: this.#definition, path: this.#path, at: this.#at };
  }
}

/** The named entries of a map inside a file; what is not an object is passed on as an empty entry for the schema to refuse. */
export function entriesAt(value: unknown, path: Path): EntryReader[] {
  const map = valueAt(value, path);
  if (!isObject(map)) return [];
  return Object.entries(map).map(([id, entry]) => new EntryReader(id, isObject(entry) ? entry : {}, [...path, id]));
}

export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) found = isObject(found) || Array.isArray(found) ? (found as never)[step] : undefined;
  return found;
}

/** Takes what says how a server is reached, in the keys nearly all agents use. Keys of the other way mean nothing to them. */
export function takeWay(
  reader: EntryReader,
  transport: unknown,
  expand: (value: unknown) => unknown = value => value,
  { cwd = true }: { readonly cwd?: boolean } = {},
): EntryReader {
  const launch = ['command', 'args', 'env', ...(cwd ? ['cwd'] : [])];
  const remote = ['url', 'headers'];
  const taken = transport === 'stdio' ? launch : transport === undefined ? [...launch, ...remote] : remote;
  for (const key of taken) reader.take(key, key, expand);
  return reader.ignore(...launch, ...remote);
}

/** What stands where a dialect keeps its servers and cannot hold any. */
export function misshapen(value: unknown, path: Path, expected: 'an object' | 'a list'): DialectProblem[] {
  const found = valueAt(value, path);
  if (found === undefined || found === null) return [];
  if (expected === 'a list' ? Array.isArray(found) : isObject(found)) return [];
  const name = path.join('.');
  return [{ path, message: `'${name}' holds no servers.`, expected, fix: `Make '${name}' ${expected}.` }];
}

export type Expand = (value: unknown) => unknown;

/** The tool lists of an agent, under whatever keys it keeps them. */
export function takeTools(reader: EntryReader, keys: { readonly allow?: string; readonly deny?: string }): EntryReader {
  const said = Object.entries(keys).filter(([, key]) => reader.has(key));
  if (said.length === 0) return reader;
  const lists = Object.fromEntries(said.map(([list, key]) => [list, reader.entry[key]]));
  return reader.ignore(...Object.values(keys)).set('tools', lists, said[0]?.[1]);
}

/** An agent's keys for signing in, each with its canonical name; the agent's other keys there are its own business. */
export type OAuthWords = Readonly<Record<string, string>>;

export function readOAuth(value: unknown, words: OAuthWords, expand: Expand): unknown {
  if (!isObject(value)) return undefined;
  const said = Object.entries(words).filter(([key]) => value[key] !== undefined && value[key] !== null);
  if (said.length === 0) return undefined;
  const asText = (found: unknown): unknown => (Array.isArray(found) ? found.join(' ') : found);
  return Object.fromEntries(said.map(([key, canonical]) => [canonical, expand(asText(value[key]))]));
}

/** Seconds as milliseconds; anything but a number stays as it is, for the schema to refuse. */
export function seconds(value: unknown): unknown {
  // 1.1 s are 1100.0000000000002 ms to a computer.
  return typeof value === 'number' ? Math.round(value * 1000) : value;
}

/** Every string inside a value, translated. */
export function mapStrings(value: unknown, translate: (text: string) => string): unknown {
  if (typeof value === 'string') return translate(value);
  if (Array.isArray(value)) return value.map(item => mapStrings(item, translate));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, translate)]));
}
