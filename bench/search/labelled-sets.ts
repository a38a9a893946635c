/** Sets of labelled queries in a folder: `<set>.<split>.json` holds queries, and names its catalogue, `<catalogue>.tools.json`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelledQuery } from '../../packages/cli/src/commands/search/recall.ts';
import type { SearchableTool } from '../../packages/core/src/catalogue/search/tool-index.ts';

export interface LabelledSet {
  readonly name: string;
  readonly tools: readonly SearchableTool[];
  readonly queries: readonly LabelledQuery[];
}

export function labelledSets(folder: string): LabelledSet[] {
  const catalogues = new Map<string, SearchableTool[]>();
  const catalogue = (name: string): SearchableTool[] => {
    const tools = catalogues.get(name) ?? readTools(folder, name);
    catalogues.set(name, tools);
    return tools;
  };
  const files = readdirSync(folder).filter(file => file.endsWith('.json') && !file.endsWith('.tools.json'));
  if (files.length === 0) {
    throw new Error(
      `There are no labelled queries in ${folder}: it has to hold <set>.dev.json and <catalogue>.tools.json.`,
    );
  }
  return files.sort().map(file => {
    const set = readJson(folder, file) as { readonly catalogue: string; readonly queries: readonly LabelledQuery[] };
    return { name: file.slice(0, -'.json'.length), tools: catalogue(set.catalogue), queries: set.queries };
  });
}

function readTools(folder: string, catalogue: string): SearchableTool[] {
  const { tools } = readJson(folder, `${catalogue}.tools.json`) as { tools: (SearchableTool & { name: string })[] };
  return tools.map(({ name, ...tool }) => ({ ...tool, tool: name }));
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}
