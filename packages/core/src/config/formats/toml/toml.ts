/** TOML. Dates are texts, as they are written. */
import type { TextFormat } from '../document.ts';
import { editText } from '../edit-text.ts';
import { placesIn } from '../line-table.ts';
import { emptyProblem, isBlank, withoutMark } from '../problems.ts';
import { parseToml } from './toml-parse.ts';
import { tomlSplices } from './toml-splices.ts';
import { offsetInToml } from './toml-tree.ts';

export const tomlFormat: TextFormat = {
  name: 'toml',
  empty: '',
  read(file, source) {
    const text = withoutMark(source);
    if (isBlank(text)) return { ok: false, problems: [emptyProblem(file)] };
    const parsed = parseToml(file, text);
    if (!parsed.ok) return parsed;
    const place = placesIn(text);
    return {
      ok: true,
      document: {
        file,
        value: parsed.value,
        duplicates: parsed.duplicates,
        locate: path => place(offsetInToml(parsed.tree, path)),
      },
    };
  },
  edit(text, edits) {
    const parse = (edited: string) => parseToml('', edited);
    return editText({ title: 'TOML', empty: '', emptyThingsVanish: true, parse, splices: tomlSplices }, text, edits);
  },
};
