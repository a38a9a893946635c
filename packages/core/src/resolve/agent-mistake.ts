/** An agent whose entry is written wrongly gets no servers until it is mended. Pure. */
import type { McpConfigLoadResult } from '../config/load.ts';
import { describeProblem } from '../config/problem.ts';
import { agentNamed } from './policy.ts';
import type { LeftOut } from './roster.ts';

/** Why this agent gets nothing, with the file and the line. Undefined where nothing is wrong, or something else counts. */
export function agentMistake(
  { frame, problems = [] }: Pick<McpConfigLoadResult, 'frame'> & Partial<Pick<McpConfigLoadResult, 'problems'>>,
  agent: string | undefined,
): Omit<LeftOut, 'id'> | undefined {
  if (agent === undefined || agentNamed(frame, agent)?.enabled !== false) return undefined;
  const entry = `agents.${agent}`.toLowerCase();
  const problem = problems.find(({ path }) => `${path.toLowerCase()}.`.startsWith(`${entry}.`));
  if (!problem) return undefined;
  const said = describeProblem(problem).replace(/[.?]$/, '');
  return { because: `agent '${agent}' is written wrongly, so it gets no servers: ${said}`, kind: 'broken' };
}
