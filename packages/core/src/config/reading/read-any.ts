/** Reads a config in whatever dialect it is, and holds it against the schema: what is wrong in it is found here. */
import { isObject } from '../../base/json/is-object.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { dialectNamed, fittingDialects } from '../dialects/registry.ts';
import type { ConfigDocument, Path } from '../formats/document.ts';
import type { Problem } from '../problem.ts';
import { judge } from '../validate/judge.ts';
import { placeIn } from '../validate/judge-frame.ts';
import { withOwnIds } from './own-ids.ts';
import type { ReadOptions, ReadResult } from './read.ts';

export function readAny(document: ConfigDocument, options: ReadOptions): ReadResult {
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
  const { reading, renamed } = withOwnIds(
    dialect.read(value, { file, home: options.home, project: options.project }),
    options.idFor,
  );
  const places = new Map(reading.servers.map(server => [server.id, server]));
  const judged = judge(document, reading);
  const pathInFrame = (path: Path): Path => placeIn(judged.frameAt, [], path);
  return {
    ok: true,
    reading: {
      config: judged.config,
      problems: judged.problems,
      dialect: dialect.name,
      renamed,
      placeOf(id, key) {
        const server = places.get(id);
        if (!server) return undefined;
        const path: Path = key === undefined ? server.path : (server.at[key] ?? [...server.path, key]);
        return document.locate(path);
      },
      pathInFrame,
      placeInFrame: path => document.locate(pathInFrame(path)),
    },
  };
}

/** Whether the place of a file alone says that another program reads it. */
export function isForeignPlace(file: string): boolean {
  return fittingDialects(file, {})[0]?.name !== 'junctor';
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
