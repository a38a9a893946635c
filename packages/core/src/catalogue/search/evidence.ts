/** What speaks for each tool that holds a word of a query. Each kind of evidence is 0 where nothing does, and about 1 at most. */
import type { Postings } from './postings.ts';
import type { Sentence } from './query.ts';

export interface Evidence {
  /** How much the words of its best sentence say about it, beside the tool that all words together say most about. */
  readonly words: number;
  /** The share of a sentence that it speaks of. */
  readonly coverage: number;
  /** The share of its name that a sentence says. */
  readonly name: number;
  /** The share of the beginning of its description that a sentence says. */
  readonly opening: number;
  /** How much the tools of its server say together. */
  readonly server: number;
}

export interface Candidate {
  readonly slot: number;
  readonly evidence: Evidence;
  /** What each word of the query says about it. */
  readonly words: Map<string, number>;
}

/** What is known of the tool in a slot beside its words. */
export interface ToolFacts {
  readonly server: string;
  readonly tool: string;
  /** The stems of its name, and those its description begins with, each once. */
  readonly name: readonly string[];
  readonly opening: readonly string[];
}

export interface Indexed {
  readonly postings: Postings;
  /** Of a slot in use. */
  facts(slot: number): ToolFacts;
  /** How many tools each server has. */
  readonly serverSizes: ReadonlyMap<string, number>;
}

/** Only of so many the rest is looked at, the best by words alone: it changes places near each other. */
const CANDIDATES = 100;
/** So much is taken to be missing from every sentence: who knows its only word has not answered all of it. */
const UNSAID = 8;
/** A server with more tools knows a little of everything, and that says nothing. */
const LARGE_SERVER = 8;

export function gatherEvidence(sentences: readonly Sentence[], indexed: Indexed): Candidate[] {
  const { postings, serverSizes } = indexed;
  const whole = weighWords(together(sentences), postings);
  const all = new Float32Array(postings.slots);
  const best = new Float32Array(postings.slots);
  const coverage = new Float32Array(postings.slots);
  addWords(whole, postings, all);
  for (const { stems } of sentences) addSentence(weighWords(stems, postings), postings, best, coverage);
  const most = all.reduce((a, b) => Math.max(a, b), Number.MIN_VALUE);
  const servers = serverSizes.size > 1 ? serverEvidence(whole, indexed) : new Map<string, number>();
  const candidates = new Map<number, Candidate>();
  for (const slot of firstOf(all, best, indexed)) {
    const { server, name, opening } = indexed.facts(slot);
    const evidence = {
      words: (best[slot] as number) / most,
      coverage: coverage[slot] as number,
      name: sharedWith(sentences, name, postings),
      opening: sharedWith(sentences, opening, postings),
      server: (servers.get(server) ?? 0) / most,
    };
    candidates.set(slot, { slot, evidence, words: new Map() });
  }
  tellWords(candidates, whole, postings, most);
  return [...candidates.values()];
}

function tellWords(
  candidates: ReadonlyMap<number, Candidate>,
  weighed: ReadonlyMap<string, number>,
  postings: Postings,
  most: number,
): void {
  // Most tools are no candidates: a look at a byte is cheaper than one at a map.
  const chosen = new Uint8Array(postings.slots);
  for (const slot of candidates.keys()) chosen[slot] = 1;
  for (const [word, weight] of weighed) {
    const posting = postings.posting(word);
    if (!posting) continue;
    for (let at = 0; at < posting.slots.length; at++) {
      const slot = posting.slots[at] as number;
      if (chosen[slot] === 0) continue;
      candidates.get(slot)?.words.set(word, (weight * (posting.weights[at] as number)) / most);
    }
  }
}

/** Every word of the query, as much as it counts where it counts most. */
function together(sentences: readonly Sentence[]): Map<string, number> {
  const whole = new Map<string, number>();
  for (const { stems } of sentences) {
    for (const [stem, counts] of stems) whole.set(stem, Math.max(counts, whole.get(stem) ?? 0));
  }
  return whole;
}

function weighWords(stems: ReadonlyMap<string, number>, postings: Postings): Map<string, number> {
  return new Map([...stems].map(([stem, counts]) => [stem, counts * postings.rarity(stem)]));
}

function addWords(weighed: ReadonlyMap<string, number>, postings: Postings, sums: Float32Array): void {
  for (const [word, weight] of weighed) {
    const posting = postings.posting(word);
    if (!posting) continue;
    const { slots, weights } = posting;
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] as number;
      sums[slot] = (sums[slot] as number) + weight * (weights[at] as number);
    }
  }
}

/** Raises what is known of each tool to what this sentence says of it, where that is more. */
function addSentence(
  weighed: ReadonlyMap<string, number>,
  postings: Postings,
  best: Float32Array,
  coverage: Float32Array,
): void {
  const says = new Float32Array(best.length);
  const covers = new Float32Array(best.length);
  let mass = UNSAID;
  addWords(weighed, postings, says);
  for (const [word, weight] of weighed) {
    mass += weight;
    for (const slot of postings.posting(word)?.slots ?? []) covers[slot] = (covers[slot] as number) + weight;
  }
  for (let slot = 0; slot < best.length; slot++) {
    if ((says[slot] as number) > (best[slot] as number)) best[slot] = says[slot] as number;
    const share = (covers[slot] as number) / mass;
    if (share > (coverage[slot] as number)) coverage[slot] = share;
  }
}

/** The best tools by words alone. Slots tell nothing about equals: which of them a tool has depends on those that went. */
function firstOf(all: Float32Array, best: Float32Array, { facts }: Indexed): number[] {
  const rough = all.map((sum, slot) => sum + (best[slot] as number));
  // Only the few that are left are put in order one by one.
  const least = rough.toSorted()[Math.max(0, rough.length - CANDIDATES)] ?? 0;
  const first: number[] = [];
  for (let slot = 0; slot < rough.length; slot++) {
    const sum = rough[slot] as number;
    if (sum > 0 && sum >= least) first.push(slot);
  }
  return first
    .sort((a, b) => (rough[b] as number) - (rough[a] as number) || byName(facts(a), facts(b)))
    .slice(0, CANDIDATES);
}

function byName(a: ToolFacts, b: ToolFacts): number {
  if (a.server !== b.server) return a.server < b.server ? -1 : 1;
  return a.tool < b.tool ? -1 : 1;
}

/** Each word says about a server what it says about the one of its tools that it says most about. */
function serverEvidence(weighed: ReadonlyMap<string, number>, indexed: Indexed): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [word, weight] of weighed) {
    const posting = indexed.postings.posting(word);
    if (!posting) continue;
    const most = new Map<string, number>();
    // Tools of one server mostly follow each other.
    let [current, best] = ['', 0];
    for (let at = 0; at < posting.slots.length; at++) {
      const { server } = indexed.facts(posting.slots[at] as number);
      const says = posting.weights[at] as number;
      if (server !== current) [current, best] = [server, most.get(server) ?? 0];
      if (says <= best) continue;
      best = says;
      most.set(server, says);
    }
    for (const [server, says] of most) sums.set(server, (sums.get(server) ?? 0) + weight * says);
  }
  for (const [server, sum] of sums) {
    sums.set(server, sum / (1 + ((indexed.serverSizes.get(server) ?? 0) / LARGE_SERVER) ** 2));
  }
  return sums;
}

/** How much of a short text the sentence says that says most of it. */
function sharedWith(sentences: readonly Sentence[], text: readonly string[], postings: Postings): number {
  const rarities = text.map(word => postings.rarity(word));
  const whole = rarities.reduce((a, b) => a + b, 0);
  if (whole === 0) return 0;
  const shares = sentences.map(({ stems }) =>
    text.reduce((sum, word, at) => sum + (stems.get(word) ?? 0) * (rarities[at] as number), 0),
  );
  return Math.max(0, ...shares) / whole;
}
