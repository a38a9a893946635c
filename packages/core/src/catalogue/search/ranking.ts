/** From what speaks for each tool to one order of them. Of equals the one that comes first here stays first. */
import type { Candidate, Evidence } from './evidence.ts';

export interface Ranked {
  readonly slot: number;
  readonly score: number;
}

/** How much each kind of evidence counts. Found with queries of several public sets; see docs/decisions. */
const COUNTS: Readonly<Record<keyof Evidence, number>> = {
  words: 3,
  coverage: 5,
  name: 2.7,
  opening: 1.9,
  server: 1.5,
};
/** No tool has all of it. */
const ALL = Object.values(COUNTS).reduce((a, b) => a + b, 0);
/**
 * How much a word counts less for a tool once a tool before it has it. A request for two things gets tools for both
 * first, not all tools for the one that has more of them.
 */
const HEARD = 0.4;

export function rank(candidates: readonly Candidate[], limit: number): Ranked[] {
  const left = candidates
    .map(candidate => ({ candidate, score: scoreOf(candidate.evidence) }))
    .sort((a, b) => b.score - a.score);
  const heard = new Map<string, number>();
  const ranked: Ranked[] = [];
  while (ranked.length < limit && left.length > 0) {
    let next = 0;
    let best = Number.NEGATIVE_INFINITY;
    // What is new in a tool is never more than its score: those behind it in the order can be left alone.
    for (let at = 0; at < left.length && (left[at] as (typeof left)[0]).score > best; at++) {
      const { candidate, score } = left[at] as (typeof left)[0];
      const news = score - repeated(candidate, heard);
      if (news > best) [best, next] = [news, at];
    }
    const [{ candidate }] = left.splice(next, 1) as [(typeof left)[0]];
    for (const [word, says] of candidate.words) heard.set(word, Math.max(says, heard.get(word) ?? 0));
    ranked.push({ slot: candidate.slot, score: Math.max(0, best) / ALL });
  }
  return ranked;
}

function scoreOf(evidence: Evidence): number {
  return (Object.keys(COUNTS) as (keyof Evidence)[]).reduce((sum, kind) => sum + COUNTS[kind] * evidence[kind], 0);
}

function repeated({ words }: Candidate, heard: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [word, says] of words) sum += Math.min(says, heard.get(word) ?? 0);
  return HEARD * sum;
}
