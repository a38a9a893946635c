import { JunctorError } from '../base/error.ts';
import { describeProblem } from './problem.ts';
import { readAny } from './read-any.ts';
import type { McpConfig } from './schema.ts';

/** Checks a value a program holds, in any dialect. Throws with every problem at once; returns only what is wholly valid. */
export function parseMcpConfig(input: unknown): McpConfig {
  const document = { file: '(value)', value: input, locate: () => ({ line: 1, column: 1 }) };
  const read = readAny(document, { home: '~' });
  const problems = read.ok ? read.reading.problems : read.problems;
  if (read.ok && problems.length === 0) return read.reading.config;
  const unplaced = problems.map(({ line: _line, column: _column, ...problem }) => describeProblem(problem));
  throw new JunctorError('config_invalid', unplaced.join('\n'), { hint: 'mend what is named, then try again' });
}
