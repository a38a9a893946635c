/** JSON, with comments and trailing commas where a person wrote them. */
import type { TextFormat } from '../document.ts';
import { editText, type Notation } from '../edit-text.ts';
import { placesIn } from '../line-table.ts';
import { emptyProblem, isBlank, unfitProblem, withoutMark } from '../problems.ts';
import { offsetsInJson } from './json-nodes.ts';
import { parseJson } from './json-parse.ts';
import { jsonSplices } from './json-splices.ts';

export const jsonFormat: TextFormat = {
  name: 'json',
  empty: '{}\n',
  read(file, source) {
    const text = withoutMark(source);
    const parsed = parse(file, text);
    if (!parsed.ok) return parsed;
    const place = placesIn(text);
    const offset = offsetsInJson(text);
    return {
      ok: true,
      document: { file, value: parsed.value, duplicates: parsed.duplicates, locate: path => place(offset(path)) },
    };
  },
  edit(text, edits) {
    return editText(NOTATION, text, edits);
  },
};

/** The history that some agents keep in their config makes it long; more than this does not fit into memory well. */
const MAX_LENGTH = 128 * 2 ** 20;

function parse(file: string, text: string) {
  const unfit = isBlank(text) ? emptyProblem(file) : unfitProblem(file, text, MAX_LENGTH);
  return unfit ? { ok: false as const, problems: [unfit] } : parseJson(file, text);
}

const NOTATION: Notation<undefined> = {
  title: 'JSON',
  empty: jsonFormat.empty,
  emptyThingsVanish: false,
  parse: text => parse('', text),
  splices: (text, _tree, change) => jsonSplices(text, change),
};
