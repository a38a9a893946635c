/** From the text of a file to a judged config: which notation, which dialect, what is valid. */
import type { DialectName, DialectReading } from './dialects/dialect.ts';
import { isObject } from './dialects/entry-reader.ts';
import { dialectNamed, fittingDialects } from './dialects/registry.ts';
import type { ConfigDocument, Path, Place } from './formats/document.ts';
import { formatName, loadFormat } from './formats/format.ts';
import { type Judged, judge, placeIn } from './judge.ts';
import type { Problem } from './problem.ts';

export interface ReadOptions {
  /** Decides where a file fits two dialects, or none. */
  readonly dialect?: DialectName | undefined;
  readonly home: string;
  /** The folder it is read for, where a file speaks of several. */
  readonly project?: string | undefined;
  /** Gives a server another id than the file does: for copies, where an id of another program may not be one of ours. */
  readonly idFor?: ((written: string) => string) | undefined;
}

export interface ConfigReading extends Judged {
  readonly dialect: DialectName;
  /** Where a server, or one canonical key of it, is written. Undefined when the server is not in this file. */
  placeOf(server: string, key?: string): Place | undefined;
  /** Where a canonical key that belongs to no server is written. */
  placeInFrame(path: Path): Place;
}

export type ReadResult =
  | { readonly ok: true; readonly reading: ConfigReading }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export async function readConfig(file: string, text: string, options: ReadOptions): Promise<ReadResult> {
  const format = await loadFormat(formatName(file));
  const read = format.read(file, text);
  return read.ok ? readValue(read.document, options) : read;
}

/** A config that is a value already: an override, or JSON from the environment. */
export function readValue(document: ConfigDocument, options: ReadOptions): ReadResult {
  const { file, value } = document;
  const fitting = options.dialect ? [dialectNamed(options.dialect)] : fittingDialects(file, value);
  const [dialect, ...others] = fitting;
  if (!dialect || others.length > 0)
    return {
      ok: false,
      problems: [
        ambiguous(
          file,
          fitting.map(one => one.name),
        ),
      ],
    };
  if (!isObject(value) && !(Array.isArray(value) && dialect.name === 'code-agent'))
    return { ok: false, problems: [notAConfig(file, value)] };
  const reading = renamed(dialect.read(value, { file, home: options.home, project: options.project }), options.idFor);
  const places = new Map(reading.servers.map(server => [server.id, server]));
  return {
    ok: true,
    reading: {
      ...judge(document, reading),
      dialect: dialect.name,
      placeOf(id, key) {
        const server = places.get(id);
        if (!server) return undefined;
        const path: Path = key === undefined ? server.path : (server.at[key] ?? [...server.path, key]);
        return document.locate(path);
      },
      placeInFrame: path => document.locate(placeIn(reading.frameAt ?? {}, [], path)),
    },
  };
}

function renamed(reading: DialectReading, idFor: ReadOptions['idFor']): DialectReading {
  if (!idFor) return reading;
  return { ...reading, servers: reading.servers.map(server => ({ ...server, id: idFor(server.id) })) };
}

function notAConfig(file: string, value: unknown): Problem {
  const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  return {
    file,
    line: 1,
    column: 1,
    path: '',
    message: `The file holds ${found}, not an object.`,
    found,
    expected: 'an object',
    fix: 'Write { "version": 1, "servers": {} }.',
  };
}

function ambiguous(file: string, names: readonly DialectName[]): Problem {
  return {
    file,
    line: 1,
    column: 1,
    path: '',
    message: `The file fits ${names.length} formats: ${names.join(', ')}.`,
    expected: 'one format',
    fix: `Say which it is: --dialect ${names[0]}.`,
  };
}
