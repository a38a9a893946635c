/** Answers one question about a stored result: a range of it, a value in it, or where words stand in it. */
import { JunctorError } from '../../base/error.ts';
import { parseKeepingDigits } from '../../base/json/exact-json.ts';
import type { OpenArtifact } from '../artifacts/artifact-file.ts';
import { endBefore, wholeAfter, wholeBefore } from '../budget/boundary.ts';
import { findText, type Match } from './find-text.ts';
import { parseJsonPath, selectByPath } from './json-path.ts';

/** Each narrows what is read: the value at `path`, in it the characters of `range`, in them the `search`. */
export interface ResultQuery {
  /** First character and the one after the last. */
  readonly range?: readonly [number, number] | undefined;
  /** Such as `$.items[0].name`: what is read is the JSON of the value there. */
  readonly path?: string | undefined;
  /** Words to find, upper or lower case. */
  readonly search?: string | undefined;
  /** The longest text to answer with, in characters. */
  readonly limit?: number | undefined;
  /** The picture, sound or file with this number, as a reference names it. */
  readonly media?: number | undefined;
}

/** A part of a result that was kept. */
export interface ResultReading {
  /** Of the result. */
  readonly id: string;
  /** Where it came from. Its words are a stranger's. */
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** What was asked for, at most `limit` characters of it. */
  readonly text: string;
  /** Where that text stands in what is read. Of a search: the part that was searched. */
  readonly range: readonly [number, number];
  /** How many characters there are to read in all. */
  readonly chars: number;
  /** Of a search: how often the words stand there, and the places that are shown. */
  readonly count?: number;
  /** Of a search: where the words stand. */
  readonly matches?: readonly Match[];
  /** Of `media`: what was asked for, as base64. */
  readonly media?: { readonly mimeType: string; readonly data: string };
  /** What to ask next for the rest. Absent: there is no more. */
  readonly more?: ResultQuery;
}

export const DEFAULT_READ_CHARS = 20_000;

export async function readArtifact(id: string, artifact: OpenArtifact, query: ResultQuery): Promise<ResultReading> {
  const { server, tool } = artifact.head;
  const about = { id, server, tool };
  if (query.media !== undefined) return { ...about, ...(await readMedia(artifact, query.media)) };
  const source = query.path === undefined ? wholeText(artifact) : await valueAt(artifact, query.path);
  const [from, to] = boundsOf(query.range, source.chars);
  const limit = Math.max(1, query.limit ?? DEFAULT_READ_CHARS);
  if (query.search !== undefined && query.search !== '') {
    const found = findText(await source.slice(0, to), query.search, { from, to, maxChars: limit });
    const text = found.matches
      .map(({ line, at, text: around }) => `line ${line}, character ${at}:\n${around}`)
      .join('\n');
    const more = found.next === undefined ? {} : { more: { ...query, range: [found.next, to] as const } };
    return {
      ...about,
      text,
      range: [from, to],
      chars: source.chars,
      count: found.count,
      matches: found.matches,
      ...more,
    };
  }
  const { text, range } = await piece(source, [from, to], limit);
  const [, end] = range;
  const rest = [end, Math.min(source.chars, end + limit)] as const;
  return {
    ...about,
    text,
    range,
    chars: source.chars,
    ...(end < source.chars ? { more: { ...query, range: rest } } : {}),
  };
}

/** At most `limit` characters of a range; where it begins or ends inside a character, that is there whole. */
async function piece(
  source: Source,
  [from, to]: readonly [number, number],
  limit: number,
): Promise<{ text: string; range: readonly [number, number] }> {
  const most = Math.min(to, from + limit);
  const base = Math.max(0, from - 1);
  const around = await source.slice(base, Math.min(source.chars, most + 1));
  const first = wholeBefore(around, from - base);
  const last = wholeAfter(around, most - base);
  // Cut by us, and not by whoever asks, it may end a little earlier, with its line.
  const end =
    most < to
      ? Math.max(first + endBefore(around.slice(first), most - base - first), wholeAfter(around, first + 1))
      : last;
  return { text: around.slice(first, end).toWellFormed(), range: [base + first, base + end] };
}

interface Source {
  readonly chars: number;
  slice(from: number, to: number): Promise<string>;
}

function wholeText(artifact: OpenArtifact): Source {
  return { chars: artifact.head.chars, slice: (from, to) => artifact.text(from, to) };
}

async function valueAt(artifact: OpenArtifact, path: string): Promise<Source> {
  const steps = parseJsonPath(path);
  const text = JSON.stringify(selectByPath(parseStored(await artifact.json()), steps));
  return { chars: text.length, slice: async (from, to) => text.slice(from, to) };
}

function parseStored(json: string): unknown {
  try {
    return parseKeepingDigits(json);
  } catch {
    throw new JunctorError('usage', 'This result is no JSON: a path leads nowhere in it.', {
      hint: 'read a range of it, or search it',
    });
  }
}

function boundsOf(range: ResultQuery['range'], chars: number): [number, number] {
  const [from, to] = range ?? [0, chars];
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from) {
    throw new JunctorError('usage', `[${from}, ${to}] is not a range.`, {
      hint: 'give the first character and the one after the last, such as [0, 10000]',
    });
  }
  return [Math.min(from, chars), Math.min(to, chars)];
}

async function readMedia(
  artifact: OpenArtifact,
  index: number,
): Promise<Pick<ResultReading, 'text' | 'range' | 'chars' | 'media'>> {
  const found = artifact.head.media[index];
  if (!found) {
    throw new JunctorError('usage', `This result has no media ${index}.`, {
      why: `it keeps ${artifact.head.media.length}, counted from 0`,
      hint: 'ask for one of them, or read the text with range',
    });
  }
  const data = (await artifact.media(index)).toString('base64');
  const text = `[${found.mimeType}, ${found.bytes} bytes]`;
  return { text, range: [0, text.length], chars: text.length, media: { mimeType: found.mimeType, data } };
}
