/** YAML 1.2, core schema: timestamps stay texts, tags mean nothing, anchors and merge keys are read. */
import type { TextFormat } from './document.ts';
import { editText } from './edit-text.ts';
import { unfitProblem, withoutMark } from './problems.ts';
import { MAX_YAML_LENGTH, parseYaml } from './yaml-parse.ts';
import { yamlSplices } from './yaml-splices.ts';
import { placeInYaml } from './yaml-tree.ts';

export const yamlFormat: TextFormat = {
  name: 'yaml',
  empty: '',
  read(file, source) {
    const text = withoutMark(source);
    const unfit = unfitProblem(file, text, MAX_YAML_LENGTH);
    if (unfit) return { ok: false, problems: [unfit] };
    const parsed = parseYaml(file, text);
    if (!parsed.ok) return parsed;
    return { ok: true, document: { file, value: parsed.value, locate: path => placeInYaml(parsed.tree, path) } };
  },
  edit(text, edits) {
    const parse = (edited: string) => parseYaml('', edited);
    return editText({ title: 'YAML', empty: '', emptyThingsVanish: false, parse, splices: yamlSplices }, text, edits);
  },
};
