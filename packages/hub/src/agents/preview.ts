/** What a config of an agent would come to on one executor, before it is stored. Pure. */

import { type LoadedServer, type McpConfigLoadResult, type Resolution, resolve } from '@junctor/core';
import type { AgentDef, ConfigFrame } from '@junctor/core/internal';
import { agentId } from '@junctor/core/light';
import type { AgentMcpConfig } from './agent-config.ts';
import { overridesFor, type StoredAgents } from './overrides.ts';

export interface PreviewFor {
  readonly executor: string;
  readonly session?: string | undefined;
}

export function previewOf(
  config: AgentMcpConfig,
  { loaded, stored }: { readonly loaded: McpConfigLoadResult; readonly stored: StoredAgents },
  { executor, session }: PreviewFor,
): Resolution {
  const agent = config.agent_id;
  const configs = new Map([...stored.configs, [agent, config]]);
  const files = loaded.layers.filter(({ name }) => name !== 'override');
  const { servers, agents, executors } = overridesFor(agent, { ...stored, configs }, files);
  const frame: ConfigFrame = {
    ...loaded.frame,
    agents: { ...withoutAgent(loaded.frame.agents, agent), ...agents },
    ...(executors ? { executors: { ...loaded.frame.executors, ...executors } } : {}),
  };
  const entries = Object.entries(servers).map(([id, definition]): [string, LoadedServer] => [
    id,
    { id, definition, layer: 'override', source: '(body)', file: undefined, dialect: 'junctor', ...NOWHERE },
  ]);
  return resolve({ config: { enabled: loaded.enabled, servers: new Map(entries), frame }, agent, executor, session });
}

const NOWHERE = { placeOf: () => undefined, switched: undefined, hides: [] };

function withoutAgent(agents: Readonly<Record<string, AgentDef>> = {}, agent: string): Record<string, AgentDef> {
  return Object.fromEntries(Object.entries(agents).filter(([name]) => agentId(name) !== agent));
}
