/** JSON, with comments and trailing commas where a person wrote them. */
import type { DocumentResult, TextFormat } from './document.ts';
import { editText } from './edit-text.ts';
import { jsonSplices } from './json-splices.ts';
import { MAX_TREE_LENGTH, parseJsonTree, placeInJson } from './json-tree.ts';
import { LineTable } from './line-table.ts';
import { deepProblem, MAX_DEPTH, unfitProblem, withoutMark } from './problems.ts';

const EMPTY = '{}\n';

export const jsonFormat: TextFormat = {
  name: 'json',
  empty: EMPTY,
  read(file, source) {
    const text = withoutMark(source);
    const unfit = unfitProblem(file, text, MAX_PLAIN_LENGTH);
    if (unfit) return { ok: false, problems: [unfit] };
    return readPlain(file, text) ?? readCommented(file, text);
  },
  edit(text, edits) {
    const parse = (edited: string) => parseJsonTree('', edited);
    return editText({ title: 'JSON', empty: EMPTY, emptyThingsVanish: false, parse, splices: jsonSplices }, text, edits);
  },
};

/** More would not fit into the memory of a process that has other things to do. */
const MAX_PLAIN_LENGTH = 128 * 2 ** 20;

/** The fast way, for the many files that are plain JSON. Undefined where a slower look is needed. */
function readPlain(file: string, text: string): DocumentResult | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const held = keysHeld(value, 0);
  if (held === undefined) return { ok: false, problems: [deepProblem(file)] };
  // JSON.parse lets the last of two equal keys win; then the text holds more keys than the value.
  if (keysWritten(text) !== held) return undefined;
  let slow: DocumentResult | undefined;
  const locate = (path: readonly PropertyKey[]) => {
    slow ??= readCommented(file, text);
    return slow.ok ? slow.document.locate(path) : { line: 1, column: 1 };
  };
  return { ok: true, document: { file, value, locate } };
}

function readCommented(file: string, text: string): DocumentResult {
  const unfit = unfitProblem(file, text, MAX_TREE_LENGTH);
  if (unfit) return { ok: false, problems: [unfit] };
  const parsed = parseJsonTree(file, text);
  if (!parsed.ok) return parsed;
  let places: LineTable | undefined;
  const locate = (path: readonly PropertyKey[]) => {
    places ??= new LineTable(text);
    return places.at(placeInJson(parsed.tree, path));
  };
  return { ok: true, document: { file, value: parsed.value, locate } };
}

function keysWritten(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = endOfString(text, at + 1);
    while (isSpace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) === COLON) keys++;
  }
  return keys;
}

const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** The place after the closing quote of a string that begins at `from`. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  for (;;) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Undefined for a value nested too deep. */
function keysHeld(value: unknown, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= MAX_DEPTH) return undefined;
  let keys = 0;
  for (const inner of Object.values(value)) {
    const below = keysHeld(inner, depth + 1);
    if (below === undefined) return undefined;
    keys += below;
  }
  return keys + (Array.isArray(value) ? 0 : Object.keys(value).length);
}
