import { JunctorError } from '../base/error.ts';
import { describeProblem, type Problem } from './problem.ts';
import { readAny } from './read-any.ts';
import type { McpConfig } from './schema.ts';

/** Checks a value a program holds, in any dialect. Throws with every problem at once; returns only what is wholly valid. */
export function parseMcpConfig(input: unknown): McpConfig {
  const { config, problems } = judgeValue(input);
  if (config && problems.length === 0) return config;
  throw new JunctorError('config_invalid', problems.map(describeProblem).join('\n'), {
    hint: 'mend what is named, then try again',
  });
}

/** What is valid of such a value, and what is not: it stands in no line. */
export function judgeValue(input: unknown): { readonly config?: McpConfig; readonly problems: readonly Problem[] } {
  const document = { file: '(value)', value: input, locate: () => ({ line: 1, column: 1 }) };
  const read = readAny(document, { home: '~' });
  const problems = read.ok ? read.reading.problems : read.problems;
  const unplaced = problems.map(({ line: _line, column: _column, ...problem }) => problem);
  return { ...(read.ok ? { config: read.reading.config } : {}), problems: unplaced };
}
