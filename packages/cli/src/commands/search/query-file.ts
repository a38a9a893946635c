/** A file of queries with the tools each of them needs. */
import { readJsonFile, unfitFile } from './json-file.ts';
import type { LabelledQuery } from './recall.ts';

const EXPECTED = '{"queries":[{"id":"1","text":"read a file","relevant":["fs/read"]}]}';

export async function readQueries(cwd: string, name: string): Promise<LabelledQuery[]> {
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
