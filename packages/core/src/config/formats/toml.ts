/** TOML. Dates are texts, as they are written. */
import type { TextFormat } from './document.ts';
import { editText } from './edit-text.ts';
import { LineTable } from './line-table.ts';
import { unfitProblem, withoutMark } from './problems.ts';
import { MAX_TOML_LENGTH, parseToml } from './toml-parse.ts';
import { tomlSplices } from './toml-splices.ts';
import { placeInToml } from './toml-tree.ts';

export const tomlFormat: TextFormat = {
  name: 'toml',
  empty: '',
  read(file, source) {
    const text = withoutMark(source);
    const unfit = unfitProblem(file, text, MAX_TOML_LENGTH);
    if (unfit) return { ok: false, problems: [unfit] };
    const parsed = parseToml(file, text);
    if (!parsed.ok) return parsed;
    const locate = (path: readonly PropertyKey[]) => new LineTable(text).at(placeInToml(parsed.tree, path));
    return { ok: true, document: { file, value: parsed.value, locate } };
  },
  edit(text, edits) {
    const parse = (edited: string) => parseToml('', edited);
    return editText({ title: 'TOML', empty: '', emptyThingsVanish: true, parse, splices: tomlSplices }, text, edits);
  },
};
