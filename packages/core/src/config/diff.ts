/** What one load of the config says that another did not. Pure. */
import type { McpConfigLoadResult } from './load.ts';
import { describeProblem, type Problem } from './problem.ts';

/** Problems that an edit brought in; lines may have moved, so a known problem is known by its words. */
export function newProblems(before: McpConfigLoadResult, after: McpConfigLoadResult): Problem[] {
  const words = ({ line: _line, column: _column, ...problem }: Problem): string => describeProblem(problem);
  const known = new Set(before.problems.map(words));
  return after.problems.filter(problem => !known.has(words(problem)));
}
