import type { McpConfigLoadResult } from './config/load.ts';
import { Gate } from './gate/verdict.ts';
import type { Roster } from './resolve/roster.ts';

/** The gate of one config: its rules, and which of its servers are trusted. */
export function gateFor({ frame }: Pick<McpConfigLoadResult, 'frame'>, { servers }: Pick<Roster, 'servers'>): Gate {
  const trust = new Map([...servers.values()].map(server => [server.id, server.trusted]));
  return new Gate({ permissions: frame.permissions ?? {}, trust });
}
