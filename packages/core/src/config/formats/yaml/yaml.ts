/** YAML 1.2, core schema: timestamps stay texts, tags mean nothing, anchors and merge keys are read. */
import type { TextFormat } from '../document.ts';
import { editText } from '../edit-text.ts';
import { placesIn } from '../line-table.ts';
import { emptyProblem, isBlank, withoutMark } from '../problems.ts';
import { parseYaml } from './yaml-parse.ts';
import { yamlSplices } from './yaml-splices.ts';
import { offsetInYaml } from './yaml-tree.ts';

export const yamlFormat: TextFormat = {
  name: 'yaml',
  empty: '',
  read(file, source) {
    const text = withoutMark(source);
    if (isBlank(text)) return { ok: false, problems: [emptyProblem(file)] };
    const parsed = parseYaml(file, text);
    if (!parsed.ok) return parsed;
    const place = placesIn(text);
    return {
      ok: true,
      document: {
        file,
        value: parsed.value,
        duplicates: parsed.duplicates,
        locate: path => place(offsetInYaml(parsed.tree, path)),
      },
    };
  },
  edit(text, edits) {
    const parse = (edited: string) => parseYaml('', edited);
    return editText({ title: 'YAML', empty: '', emptyThingsVanish: false, parse, splices: yamlSplices }, text, edits);
  },
};
