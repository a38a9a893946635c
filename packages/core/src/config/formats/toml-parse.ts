/** Parses TOML into its tree, or tells what is wrong. The parser stops at the first error of syntax. */
import { parseDocument } from '@decimalturn/toml-patch';
import type { Parsed } from './edit-text.ts';
import { deepProblem, syntaxProblem, unfitProblem } from './problems.ts';
import { type Block, TomlReader } from './toml-reader.ts';
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
  return { ok: true, tree, value: tomlValue(tree) };
}

function problemOf(file: string, error: unknown) {
  if (!(error instanceof Error)) throw error;
  const { line, column } = error as Error & { line?: number; column?: number };
  // The message shows the line and a caret under the place before it says what is wrong.
  const words = error.message.slice(error.message.lastIndexOf('^\n') + 1).trim();
  const what = words.charAt(0).toLowerCase() + words.slice(1);
  return syntaxProblem(file, { line: line ?? 1, column: (column ?? 0) + 1 }, 'TOML', what);
}
