/** Edits the text of a config file in any notation: change by change, and never to anything but what was asked for. */
import { JunctorError } from '../../base/error.ts';
import { formatPath, type Problem } from '../problem.ts';
import { type Change, differences, withEdit } from './changes.ts';
import type { DuplicateKey, Edit, Path } from './document.ts';
import { isBlank, withoutMark } from './problems.ts';
import { type LineEnd, lineEndOf, type Splice, spliced } from './splice.ts';

export type Parsed<Tree> =
  | { readonly ok: true; readonly tree: Tree; readonly value: unknown; readonly duplicates?: readonly DuplicateKey[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** What editing needs to know of a notation. */
export interface Notation<Tree> {
  readonly title: string;
  /** What stands for a text with nothing in it. */
  readonly empty: string;
  /** A table or list may be gone from the text with the last thing in it. */
  readonly emptyThingsVanish: boolean;
  parse(text: string): Parsed<Tree>;
  splices(text: string, tree: Tree, change: Change): readonly Splice[];
}

interface Reading<Tree> {
  readonly text: string;
  /** Of the text as it was at first: on the way it may have no line that ends. */
  readonly eol: LineEnd;
  readonly tree: Tree;
  readonly value: unknown;
}

/** With more single changes than this a value is written anew as a whole: each of them costs a look at the whole text. */
const MAX_CHANGES = 50;

export function editText<Tree>(notation: Notation<Tree>, source: string, edits: readonly Edit[]): string {
  const unmarked = withoutMark(source);
  const mark = source.slice(0, source.length - unmarked.length);
  let reading = readOrThrow(notation, isBlank(unmarked) ? notation.empty : unmarked);
  for (const edit of edits) reading = applyEdit(notation, reading, edit);
  return mark + reading.text;
}

function applyEdit<Tree>(notation: Notation<Tree>, reading: Reading<Tree>, edit: Edit): Reading<Tree> {
  const wanted = withEdit(reading.value, edit);
  const remaining = (value: unknown): Change[] =>
    differences(value, wanted).filter(change => !(notation.emptyThingsVanish && hasVanished(change, edit)));
  const few = remaining(reading.value).length <= MAX_CHANGES;
  const edited = few ? approach(notation, reading, remaining) : undefined;
  if (edited) return edited;
  for (const whole of wholeChanges(reading.value, wanted, edit.path)) {
    const rewritten = approach(notation, changed(notation, reading, whole), remaining);
    if (rewritten) return rewritten;
  }
  throw new JunctorError('config_conflict', `Cannot change ${formatPath(edit.path) || 'the file'} in place.`, {
    why: `the way it is written in ${notation.title} ties it to something else, such as an alias`,
    hint: 'change the file by hand',
  });
}

/** Makes the next change until none is left. Undefined when a change brings the text no nearer to what is wanted. */
function approach<Tree>(
  notation: Notation<Tree>,
  start: Reading<Tree> | undefined,
  remaining: (value: unknown) => readonly Change[],
): Reading<Tree> | undefined {
  let left = Number.POSITIVE_INFINITY;
  for (let reading = start; reading; ) {
    const changes = remaining(reading.value);
    const [next] = changes;
    if (!next) return reading;
    // To replace something may take two steps: it is removed first, and then there is only something to insert.
    const effort = changes.reduce((sum, { kind }) => sum + (kind === 'replace' ? 2 : 1), 0);
    if (effort >= left) return undefined;
    left = effort;
    reading = changed(notation, reading, next);
  }
  return undefined;
}

/** The edit as one change: of the nearest thing that both values have, else of what that stands in, but not of the file. */
function wholeChanges(now: unknown, wanted: unknown, path: Path): Change[] {
  const changes: Change[] = [];
  let [before, after] = [now, wanted];
  for (const [depth, step] of path.entries()) {
    if (!holds(before, step) || !holds(after, step)) break;
    [before, after] = [before[step], after[step]];
    changes.unshift({ kind: 'replace', path: path.slice(0, depth + 1), value: after });
  }
  return path.length === 0 ? [{ kind: 'replace', path, value: wanted }] : changes;
}

function holds(value: unknown, step: string | number): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step);
}

/** Whether what is missing is only what the removed thing stood in, with nothing left in it. */
function hasVanished(change: Change, edit: Edit): boolean {
  const contains = change.path.length < edit.path.length && change.path.every((step, at) => step === edit.path[at]);
  return edit.value === undefined && change.kind === 'insert' && contains && holdsNothing(change.value);
}

function holdsNothing(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(holdsNothing);
}

function changed<Tree>(notation: Notation<Tree>, reading: Reading<Tree>, change: Change): Reading<Tree> | undefined {
  const text = spliced(reading.text, notation.splices(reading.text, reading.tree, change), reading.eol);
  const parsed = parseStrictly(notation, text);
  return parsed.ok ? { ...reading, text, tree: parsed.tree, value: parsed.value } : undefined;
}

/** A path names one place only in a text without duplicate keys. */
function parseStrictly<Tree>(notation: Notation<Tree>, text: string): Parsed<Tree> {
  const parsed = notation.parse(text);
  if (!parsed.ok || !parsed.duplicates?.length) return parsed;
  return { ok: false, problems: parsed.duplicates.map(({ problem }) => problem) };
}

function readOrThrow<Tree>(notation: Notation<Tree>, text: string): Reading<Tree> {
  const parsed = parseStrictly(notation, text);
  if (parsed.ok) return { text, eol: lineEndOf(text), tree: parsed.tree, value: parsed.value };
  const places = parsed.problems.map(
    ({ line = 1, column = 1, message }) => `line ${line}, column ${column}: ${message}`,
  );
  throw new JunctorError('config_unreadable', `The file cannot be edited: it is not valid ${notation.title}.`, {
    why: places.join('\n'),
    hint: 'mend the file, then try again',
  });
}
