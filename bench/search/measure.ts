/**
 * `npm run bench:search -- --data DIR`: how well tools are found, for every set of labelled queries in that folder, and what
 * indexing and searching cost. Times are of this thread alone: with few cores, what else runs would count more.
 */
import { parseArgs } from 'node:util';
import {
  DEPTH,
  meanScores,
  SCORE_NAMES,
  type Scores,
  scoresOf,
} from '../../packages/cli/src/commands/search/recall.ts';
import { table } from '../../packages/cli/src/output/table.ts';
import { type SearchableTool, ToolIndex } from '../../packages/core/src/catalogue/search/tool-index.ts';
import { wordVectorsOnDemand } from '../../packages/core/src/catalogue/search/word-vectors-file.ts';
import { type LabelledSet, labelledSets } from './labelled-sets.ts';
import { manyTools } from './many-tools.ts';

const { values } = parseArgs({ options: { data: { type: 'string' }, 'without-vectors': { type: 'boolean' } } });
const vectors = values['without-vectors'] ? () => undefined : wordVectorsOnDemand();
vectors(); // read before anything is measured: it happens once

const HEAD = ['SET', 'TOOLS', 'QUERIES', ...SCORE_NAMES.map(name => name.toUpperCase())];
const TIMES = ['INDEX MS', 'ONE SERVER MS', 'QUERY P50 MS', 'QUERY P95 MS'];

if (values.data !== undefined) {
  const measured = labelledSets(values.data).map(measureSet);
  const mean = meanScores(measured.map(({ scores }) => scores));
  const rows = measured.map(({ set: { name, tools, queries }, scores, times }) => [
    name,
    ...[tools.length, queries.length].map(String),
    ...shown(scores),
    ...times,
  ]);
  process.stdout.write(`${table([...HEAD, ...TIMES], [...rows, ['mean of sets', '', '', ...shown(mean)]])}\n\n`);
}
process.stdout.write(`${tenThousand()}\n`);

function measureSet(set: LabelledSet): { set: LabelledSet; scores: Scores; times: string[] } {
  const { ms: indexMs, result: index } = timed(() => indexOf(set.tools));
  const largest = [...Map.groupBy(set.tools, ({ server }) => server)].sort(([, a], [, b]) => b.length - a.length);
  const [server, own] = largest[Math.floor(largest.length / 2)] as [string, SearchableTool[]];
  const changed = own.map(tool => ({ ...tool, description: `${tool.description} Changed.` }));
  const results = set.queries.map(query =>
    timed(() => index.search(query.text, DEPTH).map(({ server: of, tool }) => `${of}/${tool}`)),
  );
  const scores = results.map(({ result }, at) => scoresOf(set.queries[at] as (typeof set.queries)[0], result));
  const times = results.map(({ ms }) => ms).sort((a, b) => a - b);
  const { ms: changeMs } = timed(() => index.setServer(server, changed));
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] as number;
  return { set, scores: meanScores(scores), times: [indexMs, changeMs, at(0.5), at(0.95)].map(ms => ms.toFixed(1)) };
}

/** What a search in 10,000 tools costs, beside parsing their definitions. */
function tenThousand(): string {
  const text = JSON.stringify(manyTools(200, 50));
  const parse = (): SearchableTool[] => JSON.parse(text) as SearchableTool[];
  const parseMs = Math.min(...Array.from({ length: 5 }, () => timed(parse).ms));
  const tools = parse();
  globalThis.gc?.();
  const before = heldBytes();
  const { ms: indexMs, result: index } = timed(() => indexOf(tools));
  const queries = tools.filter((_, at) => at % 97 === 0).map(({ description = '' }) => description);
  const times = queries.map(query => timed(() => index.search(query, DEPTH)).ms).sort((a, b) => a - b);
  globalThis.gc?.();
  const heldMiB = (heldBytes() - before) / 2 ** 20;
  const row = [
    tools.length,
    parseMs.toFixed(1),
    indexMs.toFixed(0),
    (times[Math.floor(times.length / 2)] as number).toFixed(1),
    (times[Math.floor(times.length * 0.95)] as number).toFixed(1),
    heldMiB.toFixed(0),
  ];
  return table(['TOOLS', 'JSON.PARSE MS', 'INDEX MS', 'QUERY P50 MS', 'QUERY P95 MS', 'INDEX MIB'], [row.map(String)]);
}

function indexOf(tools: readonly SearchableTool[]): ToolIndex {
  const index = new ToolIndex(vectors);
  for (const [server, own] of Map.groupBy(tools, tool => tool.server)) index.setServer(server, own);
  return index;
}

/** Of what is in use: how much the process took from the system says more about its garbage. */
function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function timed<Result>(work: () => Result): { readonly ms: number; readonly result: Result } {
  const started = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(started);
  return { ms: (user + system) / 1000, result };
}

function shown(scores: Scores): string[] {
  return SCORE_NAMES.map(name => scores[name].toFixed(3));
}
