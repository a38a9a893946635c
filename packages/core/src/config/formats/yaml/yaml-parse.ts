/** Parses YAML into its value and the places of everything in it, or tells all that is wrong. */
import { parseDocument, type YAMLError } from 'yaml';
import type { Parsed } from '../edit-text.ts';
import { LineTable } from '../line-table.ts';
import { deepProblem, syntaxProblem, unfitProblem } from '../problems.ts';
import { YamlReader } from './yaml-reader.ts';
import type { YamlTree } from './yaml-tree.ts';

/** In the worst case the parser takes seconds and a gigabyte for a text of this length. */
const MAX_YAML_LENGTH = 2 ** 20;

/** After so many the rest are echoes of the first. */
const MAX_ERRORS = 20;

/** Duplicate keys and merge keys are ours to judge: the parser tells one place only, and takes quadratic time. */
const OPTIONS = {
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  keepSourceTokens: true,
  prettyErrors: false,
} as const;

export function parseYaml(file: string, text: string): Parsed<YamlTree> {
  const unfit = unfitProblem(file, text, MAX_YAML_LENGTH);
  if (unfit) return { ok: false, problems: [unfit] };
  try {
    const { contents, errors } = parseDocument(text, OPTIONS);
    if (errors.some(error => error.code === 'RESOURCE_EXHAUSTION')) return { ok: false, problems: [deepProblem(file)] };
    if (errors.length > 0) {
      const places = new LineTable(text);
      const problems = errors.slice(0, MAX_ERRORS).map(error => {
        return syntaxProblem(file, places.at(error.pos[0]), 'YAML', wordsOf(error));
      });
      return { ok: false, problems };
    }
    const reader = new YamlReader(file, text);
    const { value: written, node: root } = reader.read(contents, []);
    if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
    // A file of nothing but comments says nothing, as it would in TOML; it does not say null.
    const value = root.kind === 'none' ? Object.create(null) : written;
    return { ok: true, value, tree: { text, value, root }, duplicates: reader.duplicates };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, problems: [deepProblem(file)] };
  }
}

function wordsOf(error: YAMLError): string {
  if (error.code === 'MULTIPLE_DOCS') return 'a config file holds one document, and here another begins';
  return error.message.charAt(0).toLowerCase() + error.message.slice(1);
}
