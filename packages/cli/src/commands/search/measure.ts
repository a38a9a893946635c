/** `search --eval FILE`: how well the tools that queries need are found in a catalogue. */
import type { SearchableTool } from '@junctor/core/known';
import type { Context } from '../../context.ts';
import { table } from '../../output/table.ts';
import { indexTools, toolId } from './catalogue-file.ts';
import { readJsonFile, unfitFile } from './json-file.ts';
import { DEPTH, type LabelledQuery, meanScores, SCORE_NAMES, scoresOf } from './recall.ts';

export async function measureRecall(context: Context, tools: readonly SearchableTool[], file: string): Promise<void> {
  const queries = await readQueries(context.surroundings.cwd, file);
  const index = indexTools(tools);
  const results = queries.map(query => {
    const ranked = index.search(query.text, DEPTH).map(toolId);
    return { query, ranked, scores: scoresOf(query, ranked) };
  });
  const scores = meanScores(results.map(one => one.scores));
  const known = new Set(tools.map(toolId));
  const unknown = [...new Set(queries.flatMap(({ relevant }) => relevant))].filter(id => !known.has(id));
  context.answer({
    json: {
      tools: known.size,
      queries: queries.length,
      ...scores,
      unknown,
      missed: results
        .filter(one => one.scores['recall@5'] < 1)
        .map(({ query: { id, text, relevant }, ranked }) => ({ id, text, relevant, ranked })),
    },
    text: table(
      ['TOOLS', 'QUERIES', ...SCORE_NAMES.map(name => name.toUpperCase())],
      [[String(known.size), String(queries.length), ...SCORE_NAMES.map(name => scores[name].toFixed(3))]],
    ),
  });
  if (unknown.length > 0) context.talk(unknownText(unknown));
}

const UNKNOWN_SHOWN = 5;

/** Most often a server that is not there, or a name that has changed: the scores are then lower than the search is bad. */
function unknownText(unknown: readonly string[]): string {
  const more = unknown.length > UNKNOWN_SHOWN ? `, and ${unknown.length - UNKNOWN_SHOWN} more` : '';
  return `warning: the queries need tools that are not in the catalogue: ${unknown.slice(0, UNKNOWN_SHOWN).join(', ')}${more}`;
}

/** A file of queries with the tools each of them needs. */
const EXPECTED = '{"queries":[{"id":"1","text":"read a file","relevant":["fs/read"]}]}';

async function readQueries(cwd: string, name: string): Promise<LabelledQuery[]> {
  const { queries } = ((await readJsonFile(cwd, name, EXPECTED)) ?? {}) as { readonly queries?: unknown };
  if (!Array.isArray(queries) || queries.length === 0) throw unfitFile(name, "it has no list 'queries'", EXPECTED);
  return queries.map((query: Partial<LabelledQuery> | null, index) => {
    const { id = String(index + 1), text, relevant, anyOf = [] } = query ?? {};
    const wrong = (what: string): Error => unfitFile(name, `queries[${index}] has no ${what}`, EXPECTED);
    if (typeof text !== 'string') throw wrong("text 'text'");
    if (!isTexts(relevant) || relevant.length === 0) throw wrong("list 'relevant' of tools");
    if (!Array.isArray(anyOf) || !anyOf.every(isTexts)) throw wrong("lists of tools in 'anyOf'");
    return { id: String(id), text, relevant, anyOf };
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string');
}
