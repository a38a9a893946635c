/** What is stored, as the layer that it is for a host: above every file, below the policy of an organisation. Pure. */

import type { McpServerDef } from '@junctor/core';
import type { AgentDef, Layer } from '@junctor/core/internal';
import { agentId } from '@junctor/core/light';
import { type AgentMcpConfig, definitionsOf } from './agent-config.ts';

type Policy = NonNullable<AgentDef['executors']>[string];

/** Everything that is stored about agents and executors. */
export interface StoredAgents {
  readonly configs: ReadonlyMap<string, AgentMcpConfig>;
  readonly policies: ReadonlyMap<string, Policy>;
  /** By agent, by executor. */
  readonly overrides: ReadonlyMap<string, ReadonlyMap<string, Policy>>;
}

export interface Overrides {
  readonly version: 1;
  readonly servers: Readonly<Record<string, McpServerDef>>;
  readonly agents?: Readonly<Record<string, AgentDef>>;
  readonly executors?: Readonly<Record<string, Policy>>;
}

/**
 * The layer for one agent's host, or for the one that serves all agents without a config of their own. What is posted
 * takes the place of the servers an agent gets; what files say about its executors holds until something is stored there.
 */
export function overridesFor(agent: string | undefined, stored: StoredAgents, files: readonly Layer[]): Overrides {
  const config = agent === undefined ? undefined : stored.configs.get(agent);
  const named = new Set([...stored.overrides.keys(), ...(config ? [agent as string] : [])]);
  const agents = [...named].map(name => {
    const written = agentIn(files, name);
    const own = config && name === agent ? { enabled: config.enabled, servers: Object.keys(config.servers) } : {};
    const executors = { ...written?.executors, ...Object.fromEntries(stored.overrides.get(name) ?? []) };
    return [name, { ...written, ...own, ...(Object.keys(executors).length > 0 ? { executors } : {}) }] as const;
  });
  return {
    version: 1,
    servers: config ? definitionsOf(config) : {},
    ...(agents.length > 0 ? { agents: Object.fromEntries(agents) } : {}),
    ...(stored.policies.size > 0 ? { executors: Object.fromEntries(stored.policies) } : {}),
  };
}

/** What the highest file that names an agent says about it. */
function agentIn(files: readonly Layer[], agent: string): AgentDef | undefined {
  const found = files.flatMap(({ config }) =>
    Object.entries(config.agents ?? {}).flatMap(([name, def]) => (agentId(name) === agent ? [def] : [])),
  );
  return found.at(-1);
}
