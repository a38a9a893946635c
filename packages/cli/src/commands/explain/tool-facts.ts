/** What is known of tools: from memory where servers were connected before, else from the servers that matter. */

import type { McpConfigLoadResult } from '@junctor/core/config-read';
import { knownFacts, type ToolFacts } from '@junctor/core/known';
import { AGENT_NAMES, agentId, JunctorError, nearest } from '@junctor/core/light';
import type { OptionSpecs } from '../../command.ts';
import { expectExecutor } from '../../config-files/known-executor.ts';
import { type Context, hostOptions } from '../../context.ts';
import { tellWaiting } from '../../output/still-waiting.ts';

export const FACT_OPTIONS = {
  agent: { value: 'ID', help: 'as this agent gets it' },
  executor: { value: 'NAME', help: 'on this executor (default: local)' },
  fresh: { help: 'ask the servers, also where an earlier connection tells what they offer' },
  hub: { help: 'ask the running hub: what was posted for its agents counts, and what its servers say now' },
  offline: { help: 'start nothing: only files, and what servers offered when they were last connected, count' },
} as const satisfies OptionSpecs;

export interface Wanted {
  readonly agent: string | undefined;
  readonly executor: string | undefined;
  readonly fresh: boolean;
  readonly offline: boolean;
  readonly hub: boolean;
}

/** The same question to the running hub, which answers with the same document. */
export async function askHub<Answer>(
  context: Context,
  path: string,
  { agent, executor, ...query }: Readonly<Record<string, string | undefined>>,
): Promise<Answer> {
  // Asking a hub loads what talks to one: nobody else pays for that.
  const { HubRest } = await import('../../hub/hub-rest.ts');
  const hub = await HubRest.open(context);
  const project = await hub.projectOf(context);
  const asked = Object.entries({ ...query, agent, executor, project });
  const given = asked.filter(one => one[1] !== undefined) as [string, string][];
  return hub.ask<Answer>(`${path}?${new URLSearchParams(given)}`);
}

/** `needed` names the servers whose tools matter: no other is started. */
export async function toolFacts(
  context: Context,
  wanted: Wanted,
  needed: (facts: ToolFacts) => readonly string[],
): Promise<ToolFacts> {
  const { agent, executor, fresh, offline } = wanted;
  const { surroundings, redactor } = context;
  await expectExecutor(context, executor);
  const options = { ...hostOptions(context), agent, executor };
  const known = await knownFacts({ ...options, surroundings, redactor });
  expectAgent(agent, known.written);
  const servers = needed(known).filter(id => known.resolution.servers.has(id));
  if (offline || !servers.some(id => fresh || known.unasked.has(id))) return known;
  // Loading what talks to servers takes longer than the whole answer from memory: it is loaded only here.
  const [{ createHost }, { liveFacts }] = await Promise.all([
    import('@junctor/core'),
    import('@junctor/core/internal'),
  ]);
  await using host = await createHost(options);
  using _waiting = tellWaiting(context, host);
  return await liveFacts(host, { agent, executor, servers, known: !fresh });
}

/** A slip of the pen must not look like an agent that gets everything. */
export function expectAgent(agent: string | undefined, { frame }: Pick<McpConfigLoadResult, 'frame'>): void {
  if (agent === undefined) return;
  const ids = ['default', ...AGENT_NAMES, ...Object.keys(frame.agents ?? {}).map(agentId)];
  if (ids.includes(agentId(agent))) return;
  const near = nearest(agent, ids);
  throw new JunctorError('usage', `There is no agent '${agent}'.`, {
    why: `known agents: ${[...new Set(ids)].join(', ')}`,
    hint: near === undefined ? 'name one of them, or add it to agents in the config' : `did you mean '${near}'?`,
  });
}
