/** What somebody asks for, sentence by sentence: a long request often needs another tool for each. */
import { ALIKE_STEMS, QUIET_STEMS } from './english.ts';
import { stem } from './stem.ts';
import { tellingWords } from './telling-words.ts';

export interface Sentence {
  /** How much each word counts, by its stem; 1 is a word that was said and tells something. */
  readonly stems: Map<string, number>;
  /** The words that were said themselves, by their stem. */
  readonly said: ReadonlyMap<string, string>;
}

/** Whoever says more has said what they need by then. */
const MAX_QUERY_CHARS = 8_000;
/** Each sentence costs a walk through the tools that hold its words. */
const MAX_SENTENCES = 24;
const MAX_STEMS = 60;
const SENTENCE_END = /(?<=[.?!;])\s+|(?<=[。？！；])|\n+/;
/** A word that was not said, but may be what the author of the tool wrote. */
const ALIKE_COUNTS = 0.3;

export function readQuery(query: string): Sentence[] {
  return query
    .slice(0, MAX_QUERY_CHARS)
    .split(SENTENCE_END, MAX_SENTENCES)
    .map(readSentence)
    .filter(({ stems }) => stems.size > 0);
}

function readSentence(text: string): Sentence {
  const stems = new Map<string, number>();
  const said = new Map<string, string>();
  for (const word of tellingWords(text, MAX_QUERY_CHARS)) {
    const own = stem(word);
    if (stems.size >= MAX_STEMS) break;
    stems.set(own, QUIET_STEMS.get(own) ?? 1);
    said.set(own, word);
  }
  for (const [own, counts] of [...stems]) {
    for (const other of ALIKE_STEMS.get(own) ?? []) if (!stems.has(other)) stems.set(other, counts * ALIKE_COUNTS);
  }
  return { stems, said };
}
