/** Problems that every notation can have, in the same words. */
import type { Problem } from '../problem.ts';
import { formatPath } from '../problem.ts';
import type { DocumentResult, Path, Place } from './document.ts';

export function syntaxProblem(file: string, place: Place, notation: string, what: string): Problem {
  return {
    file,
    ...place,
    path: '',
    message: `Not valid ${notation}: ${what.replace(/\.$/, '')}.`,
    expected: notation,
    fix: 'Mend the syntax at this place.',
  };
}

export function duplicateProblem(file: string, path: Path, places: { first: Place; second: Place }): Problem {
  return {
    file,
    ...places.second,
    path: formatPath(path),
    message: `The key '${String(path.at(-1))}' stands twice: here and at line ${places.first.line}.`,
    expected: 'each key once',
    fix: 'Remove or rename one of them.',
  };
}

/** For files that count as a whole or not at all: a duplicate key is a reason to refuse them. */
export function refuseDuplicates(result: DocumentResult): DocumentResult {
  if (!result.ok || !result.document.duplicates?.length) return result;
  return { ok: false, problems: result.document.duplicates.map(({ problem }) => problem) };
}

/** All values of a key that stands more than once, in one list. `lists` knows the lists that were made for that. */
export function together(lists: WeakSet<object>, earlier: unknown, value: unknown): unknown[] {
  if (Array.isArray(earlier) && lists.has(earlier)) {
    earlier.push(value);
    return earlier;
  }
  const list = [earlier, value];
  lists.add(list);
  return list;
}

export function emptyProblem(file: string): Problem {
  return {
    file,
    line: 1,
    column: 1,
    path: '',
    message: 'The file is empty.',
    fix: 'Write a config into it, or remove it.',
  };
}

/** Deeper nesting is nobody's config, and reading it would exhaust the stack. */
export const MAX_DEPTH = 100;

export function deepProblem(file: string, place?: Place): Problem {
  return {
    file,
    ...place,
    path: '',
    message: `Nested more than ${MAX_DEPTH} levels deep.`,
    expected: `at most ${MAX_DEPTH} levels`,
    fix: 'Make it flatter.',
  };
}

/** What keeps a text from being parsed at all: it is not UTF-8, or more than the parser can take. */
export function unfitProblem(file: string, text: string, maxLength: number): Problem | undefined {
  // A file in another encoding shows as replacement characters where its byte order mark was, or as NULs.
  if (text.startsWith('\uFFFD') || text.includes('\0')) return encodingProblem(file);
  return text.length > maxLength ? largeProblem(file, text.length, maxLength) : undefined;
}

function encodingProblem(file: string): Problem {
  return {
    file,
    line: 1,
    column: 1,
    path: '',
    message: 'The file is not UTF-8 text.',
    expected: 'UTF-8',
    fix: 'Save it in the encoding UTF-8.',
  };
}

function largeProblem(file: string, length: number, maxLength: number): Problem {
  const mebibytes = (size: number): string => `${Math.ceil(size / 2 ** 20)} MiB`;
  return {
    file,
    path: '',
    message: `The file is too large for a config: ${mebibytes(length)}.`,
    found: mebibytes(length),
    expected: `at most ${mebibytes(maxLength)}`,
    fix: 'Check that it is the right file.',
  };
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

export function withoutMark(text: string): string {
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = 0xfeff;
