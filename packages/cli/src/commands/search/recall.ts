/** How good a ranking is, for queries of which somebody knows the tools they need. Pure. */

export interface LabelledQuery {
  readonly id: string;
  readonly text: string;
  /** The tools it needs, as `server/tool`. */
  readonly relevant: readonly string[];
  /** Groups of tools of which any one will do. */
  readonly anyOf?: readonly (readonly string[])[];
}

export interface Scores {
  /** The share of the needed tools among the first so many. */
  readonly 'recall@1': number;
  readonly 'recall@3': number;
  readonly 'recall@5': number;
  readonly 'recall@10': number;
  /** One over the place of the first needed tool. */
  readonly mrr: number;
  /** Like recall@5, but an earlier place counts more. */
  readonly 'ndcg@5': number;
}

/** So many results of a query are looked at. */
export const DEPTH = 10;

export function scoresOf(query: LabelledQuery, ranked: readonly string[]): Scores {
  const needs = needsOf(query);
  const wanted = new Set(query.relevant.map(tool => needs.get(tool))).size;
  const met = new Set<string>();
  const metBy: number[] = [];
  let mrr = 0;
  let gain = 0;
  for (const [at, tool] of [...new Set(ranked)].slice(0, DEPTH).entries()) {
    const need = needs.get(tool);
    if (need !== undefined && !met.has(need)) {
      met.add(need);
      mrr ||= 1 / (at + 1);
      if (at < 5) gain += worthAt(at);
    }
    metBy.push(met.size);
  }
  const recall = (k: number): number => (metBy[Math.min(k, metBy.length) - 1] ?? 0) / wanted;
  const best = Array.from({ length: Math.min(5, wanted) }, (_, at) => worthAt(at)).reduce((a, b) => a + b, 0);
  return {
    'recall@1': recall(1),
    'recall@3': recall(3),
    'recall@5': recall(5),
    'recall@10': recall(10),
    mrr,
    'ndcg@5': gain / best,
  };
}

export function meanScores(all: readonly Scores[]): Scores {
  const mean = (name: keyof Scores): number => all.reduce((sum, one) => sum + one[name], 0) / all.length;
  return Object.fromEntries(SCORE_NAMES.map(name => [name, mean(name)])) as unknown as Scores;
}

export const SCORE_NAMES: readonly (keyof Scores)[] = [
  'recall@1',
  'recall@3',
  'recall@5',
  'recall@10',
  'mrr',
  'ndcg@5',
];

/** Tools of one group meet the same need. */
function needsOf({ relevant, anyOf = [] }: LabelledQuery): Map<string, string> {
  const needs = new Map(relevant.map(tool => [tool, tool]));
  for (const group of anyOf) for (const tool of group) needs.set(tool, group.join('\0'));
  return needs;
}

function worthAt(place: number): number {
  return 1 / Math.log2(place + 2);
}
