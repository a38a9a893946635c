/** What the programs of executors say when they fail, and what it means. Their words are all there is to tell it by. */
import type { Diagnosis } from './executor.ts';

export interface KnownFailure {
  readonly says: RegExp;
  /** What it means; what was said follows. */
  readonly means: string;
  readonly hint: string;
}

export function knownFailure(words: string, known: readonly KnownFailure[]): Diagnosis | undefined {
  const found = known.find(({ says }) => says.test(words));
  return found && { why: `${found.means}; it said:\n${words}`, hint: found.hint };
}
