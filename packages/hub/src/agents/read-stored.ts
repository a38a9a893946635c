import type { AgentRows } from '../store/agent-rows.ts';
import type { AgentMcpConfig } from './agent-config.ts';
import type { StoredAgents } from './overrides.ts';

/** Everything the database says about agents, as one value. What is in it was checked before it was written. */
export async function readStored(rows: AgentRows): Promise<StoredAgents> {
  const [configs, policies] = await Promise.all([rows.configs(), rows.policies()]);
  const overrides = new Map<string, Map<string, never>>();
  for (const { agent, executor, policy } of policies) {
    if (agent === undefined) continue;
    overrides.set(agent, (overrides.get(agent) ?? new Map<string, never>()).set(executor, JSON.parse(policy) as never));
  }
  return {
    configs: new Map(configs.map(({ agent, body }) => [agent, JSON.parse(body) as AgentMcpConfig])),
    policies: new Map(
      policies.flatMap(({ agent, executor, policy }) => (agent === undefined ? [[executor, JSON.parse(policy)]] : [])),
    ),
    overrides,
  };
}
