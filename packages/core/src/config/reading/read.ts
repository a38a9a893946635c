/** From the text of a file to a judged config: which notation, which dialect, what is valid. */
import type { DialectName } from '../dialects/dialect.ts';
import type { ConfigDocument, Path, Place } from '../formats/document.ts';
import { formatName, loadFormat } from '../formats/format.ts';
import { isBlank } from '../formats/problems.ts';
import type { Problem } from '../problem.ts';
import type { Judged } from '../validate/judge.ts';
import { readPlain } from './plain-config.ts';

export interface ReadOptions {
  /** Decides where a file fits two dialects, or none. */
  readonly dialect?: DialectName | undefined;
  readonly home: string;
  /** The folder it is read for, where a file speaks of several. */
  readonly project?: string | undefined;
  /** Gives a server another id than the file does: for copies, where an id of another program may not be one of ours. */
  readonly idFor?: ((written: string) => string) | undefined;
}

export interface ConfigReading extends Omit<Judged, 'frameAt'> {
  readonly dialect: DialectName;
  /** What the file calls those servers that `idFor` gave another id. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Where a server, or one canonical key of it, is written. Undefined when the server is not in this file. */
  placeOf(server: string, key?: string): Place | undefined;
  /** What the file calls a canonical key that belongs to no server. Absent where that is the same. */
  pathInFrame?(path: Path): Path;
  /** Where a canonical key that belongs to no server is written. */
  placeInFrame(path: Path): Place;
}

export type ReadResult =
  | { readonly ok: true; readonly reading: ConfigReading }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export async function readConfig(file: string, text: string, options: ReadOptions): Promise<ReadResult> {
  const format = await loadFormat(formatName(file));
  const read = format.read(file, text);
  if (!read.ok) return isBlank(text) && format.empty === '' ? readBlank(file, options, read) : read;
  const duplicates = read.document.duplicates ?? [];
  if (duplicates.length <= MAX_DUPLICATES) return readValue(read.document, options);
  return { ok: false, problems: duplicates.slice(0, MAX_DUPLICATES).map(({ problem }) => problem) };
}

/** In TOML and YAML a file of another program may be empty. In one of ours that is a mistake. */
async function readBlank(file: string, options: ReadOptions, empty: ReadResult): Promise<ReadResult> {
  const { isForeignPlace, readAny } = await import('./read-any.ts');
  const isForeign = options.dialect ? options.dialect !== 'junctor' : isForeignPlace(file);
  return isForeign ? readAny({ file, value: {}, locate: () => ({ line: 1, column: 1 }) }, options) : empty;
}

/** Nobody writes more by mistake. Each costs a look at every server of the file. */
const MAX_DUPLICATES = 20;

/**
 * A config that is a value already: an override, or JSON from the environment. The schema and the dialects of others take
 * longer to load than everything else a start needs: they are loaded for what is not plainly one of ours and valid.
 */
export async function readValue(document: ConfigDocument, options: ReadOptions): Promise<ReadResult> {
  const reading = readPlain(document, options);
  return reading ? { ok: true, reading } : (await import('./read-any.ts')).readAny(document, options);
}
