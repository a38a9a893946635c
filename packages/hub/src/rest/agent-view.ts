/** What an agent has now, as REST returns it. */

import type { Host } from '@junctor/core';
import { isEnabled, maskDefinition } from '@junctor/core/config-read';
import { agentId, agentMeant } from '@junctor/core/light';
import { type AgentMcpConfig, configFrom } from '../agents/agent-config.ts';
import { notFound } from './failure.ts';
import type { Rooms } from './rooms.ts';

/** What was posted; else every enabled server of the files that this agent gets, secrets masked. */
export function configOf({ book }: Rooms, agent: string, host: Host = book.common): AgentMcpConfig {
  return book.stored.configs.get(agent) ?? fromFiles(host, agent, { masked: true });
}

/** The same with the secrets that files hold as plain text: for comparing, never for showing. */
export function realConfigOf(rooms: Rooms, agent: string): AgentMcpConfig {
  return rooms.book.stored.configs.get(agent) ?? fromFiles(rooms.book.common, agent, { masked: false });
}

function fromFiles({ loaded }: Host, agent: string, { masked }: { readonly masked: boolean }): AgentMcpConfig {
  const agents = Object.entries(loaded.frame.agents ?? {});
  const own = agents.find(([name]) => agentId(name) === agent)?.[1];
  const servers = [...loaded.servers.values()].filter(
    server => isEnabled(server) && (own?.servers === undefined || own.servers.includes(server.id)),
  );
  return configFrom(
    agent,
    loaded.enabled && own?.enabled !== false,
    servers.map(({ id, definition }) => [id, masked ? maskDefinition(definition) : definition] as const),
  );
}

export function expectAgent({ book }: Rooms, agent: string): string {
  if (book.knows(agent)) return agent;
  const meant = agentMeant(agent, book.ids());
  const hint = meant === undefined ? `one of: ${book.ids().join(', ')}` : `did you mean '${meant}'?`;
  throw notFound(`There is no agent '${agent}'.`, `${hint}; or post a config for it`);
}
