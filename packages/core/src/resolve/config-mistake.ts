/** What is left out because something that could have taken it away is written wrongly, until that is mended. Pure. */

import { nearest } from '../base/text/nearest.ts';
import { agentId } from '../config/agent-id.ts';
import type { LoadedServer } from '../config/layers.ts';
import type { McpConfigLoadResult } from '../config/load.ts';
import { describeProblem, type Problem } from '../config/problem.ts';
import { agentNamed } from './policy.ts';
import type { LeftOut } from './roster.ts';

type Problems = Partial<Pick<McpConfigLoadResult, 'problems'>>;
type Config = Pick<McpConfigLoadResult, 'enabled' | 'frame'> & Problems;

const NEXT = { hint: 'mend it there', command: 'mend it there; junctor validate says what is left to mend' };

/** Why nobody, or this agent, gets any server, with the file and the line. Undefined where that has other reasons. */
export function configMistake(config: Config, agent: string | undefined): Omit<LeftOut, 'id'> | undefined {
  const because = switchMistake(config) ?? agentMistake(config, agent);
  return because === undefined ? undefined : { because, kind: 'broken', next: NEXT };
}

/** A higher layer meant to say something about this server, and it is not clear what. */
export function entryMistake({ problems = [] }: Problems, server: LoadedServer): Omit<LeftOut, 'id'> | undefined {
  const { id, switched } = server;
  if (!switched?.isMistake) return undefined;
  const problem = problems.find(one => one.server === id && one.file === switched.source);
  const where = problem ? said(problem) : switched.source;
  return { because: `its entry in a higher layer is written wrongly: ${where}`, kind: 'broken', next: NEXT };
}

/** A dialect may keep the switch of the whole file one level down. */
function switchMistake({ enabled, problems = [] }: Config): string | undefined {
  if (enabled) return undefined;
  const problem = problems.find(({ path, server }) => {
    const [key = '', ...above] = path.split('.').toReversed();
    return server === undefined && above.every(step => step === 'mcp') && nearest(key, ['enabled']) !== undefined;
  });
  return problem && `MCP is switched off, since it is not clear whether it is to be on: ${said(problem)}`;
}

function agentMistake({ frame, problems = [] }: Config, agent: string | undefined): string | undefined {
  if (agent === undefined || agentNamed(frame, agent)?.enabled !== false) return undefined;
  const problem = problems.find(({ path }) => {
    const [section = '', ...inside] = path.toLowerCase().split('.');
    // A file that is one agent's own has the switch at its top.
    if (nearest(path, ['enabled']) !== undefined) return true;
    return (
      nearest(section, ['agents']) !== undefined && agentId(`${inside.join('.')}.`).startsWith(`${agentId(agent)}.`)
    );
  });
  return problem && `agent '${agent}' is written wrongly, so it gets no servers: ${said(problem)}`;
}

function said(problem: Problem): string {
  return describeProblem(problem).replace(/[.?]$/, '');
}
