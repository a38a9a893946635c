/** Parses TOML into its tree, or tells what is wrong. The parser stops at the first error of syntax. */
import { parseDocument } from '@decimalturn/toml-patch';
import type { Parsed } from '../edit-text.ts';
import { deepProblem, syntaxProblem, together, unfitProblem } from '../problems.ts';
import { type Block, type TomlDuplicate, TomlReader } from './toml-reader.ts';
import { type TomlTable, tomlValue } from './toml-tree.ts';

/** The parser takes about a second and half a gigabyte for a text of this length in the worst case. */
const MAX_TOML_LENGTH = 2 ** 20;

export function parseToml(file: string, text: string): Parsed<TomlTable> {
  const unfit = unfitProblem(file, text, MAX_TOML_LENGTH);
  if (unfit) return { ok: false, problems: [unfit] };
  let blocks: readonly Block[];
  try {
    // Only the syntax is the library's: its values lose keys named `__proto__`.
    blocks = parseDocument(text).cst;
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, problems: [deepProblem(file)] };
    return { ok: false, problems: [problemOf(file, error)] };
  }
  const reader = new TomlReader(file, text);
  const tree = reader.read(blocks);
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  const value = tomlValue(tree);
  const lists = new WeakSet();
  const unplaced = reader.duplicates.filter(duplicate => !holdBoth(value, duplicate, lists));
  if (unplaced.length > 0) return { ok: false, problems: unplaced.map(({ problem }) => problem) };
  return { ok: true, tree, value, duplicates: reader.duplicates };
}

/** Puts a list of both values where a key stands twice. False where nothing stands at its path. */
function holdBoth(root: unknown, { path, other }: TomlDuplicate, lists: WeakSet<object>): boolean {
  let holder = root as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) {
    const next = holder[step];
    // A header names the last table of a list, and a key that stands twice holds a list already.
    const inner = Array.isArray(next) ? next.at(-1) : next;
    if (typeof inner !== 'object' || inner === null) return false;
    holder = inner as typeof holder;
  }
  const name = path.at(-1) as string | number;
  if (!Object.hasOwn(holder, name)) return false;
  holder[name] = together(lists, holder[name], other && tomlValue(other));
  return true;
}

function problemOf(file: string, error: unknown) {
  if (!(error instanceof Error)) throw error;
  const { line, column } = error as Error & { line?: number; column?: number };
  // The message shows the line and a caret under the place before it says what is wrong.
  const words = error.message.slice(error.message.lastIndexOf('^\n') + 1).trim();
  const what = words.charAt(0).toLowerCase() + words.slice(1);
  return syntaxProblem(file, { line: line ?? 1, column: (column ?? 0) + 1 }, 'TOML', what);
}
