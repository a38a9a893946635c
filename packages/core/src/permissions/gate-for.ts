import { agentId } from '../config/agent-id.ts';
import type { McpConfigLoadResult } from '../config/load.ts';
import type { Roster } from '../resolve/roster.ts';
import { Gate } from './verdict.ts';

/** The gate of one config: its rules, and which of its servers are trusted. */
export function gateFor({ frame }: Pick<McpConfigLoadResult, 'frame'>, { servers }: Pick<Roster, 'servers'>): Gate {
  const trust = new Map([...servers.values()].map(server => [server.id, server.trusted]));
  const agents = Object.fromEntries(
    Object.entries(frame.agents ?? {}).map(([id, { permissions }]) => [agentId(id), permissions] as const),
  );
  return new Gate({ permissions: frame.permissions ?? {}, agents, trust });
}
