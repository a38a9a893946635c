import { JunctorError } from '../base/error.ts';
import { checkBundles } from './bundles.ts';
import { type Layer, mergeLayers } from './layers.ts';
import { describeProblem, type Problem } from './problem.ts';
import type { ConfigReading } from './reading/read.ts';
import { readAny } from './reading/read-any.ts';
import type { McpConfig } from './schema/schema.ts';

/** Checks a value a program holds, in any dialect. Throws with every problem at once; returns only what is wholly valid. */
export function parseMcpConfig(input: unknown): McpConfig {
  const { config, problems } = judgeValue(input);
  if (config && problems.length === 0) return config;
  throw new JunctorError('config_invalid', problems.map(describeProblem).join('\n'), {
    hint: 'mend what is named, then try again',
  });
}

/** A value is the only layer: a bundle names a server of its own. */
function bundleProblems({ config, dialect }: ConfigReading): Problem[] {
  if (!config.bundles) return [];
  const layer: Layer = {
    name: 'override',
    source: '(value)',
    file: undefined,
    dialect,
    config,
    placeOf: () => undefined,
  };
  // A server that is written wrongly is told about itself.
  const broken = new Set(config.broken);
  return checkBundles([layer], mergeLayers([layer]).servers).filter(
    ({ path }) => !broken.has(config.bundles?.[path.replace(/^bundles\./, '')]?.serverId ?? ''),
  );
}

/** What is valid of such a value, and what is not: it stands in no line. */
export function judgeValue(input: unknown): { readonly config?: McpConfig; readonly problems: readonly Problem[] } {
  const document = { file: '(value)', value: input, locate: () => ({ line: 1, column: 1 }) };
  const read = readAny(document, { home: '~' });
  const problems = read.ok ? [...read.reading.problems, ...bundleProblems(read.reading)] : read.problems;
  const unplaced = problems.map(({ line: _line, column: _column, ...problem }) => problem);
  return { ...(read.ok ? { config: read.reading.config } : {}), problems: unplaced };
}
