/**
 * What calls came to, as a running hub has counted them, together with what lies in the data directory. Both count a call that
 * one of our commands makes through the hub; those of agents only the hub counts.
 */
import { toolKey } from '@junctor/core/internal';
import type { ToolStatistics } from '@junctor/core/known';
import type { HubRest } from './hub-rest.ts';

interface HubCounts extends Pick<ToolStatistics, 'server' | 'tool' | 'calls' | 'errors' | 'bytes'> {
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly last_used: string;
}

export interface CountedAtHub {
  readonly all: readonly HubCounts[];
  readonly byAgents: readonly HubCounts[];
}

export async function countedAtHub(hub: HubRest, server: string | undefined): Promise<CountedAtHub> {
  const ask = async (by: object): Promise<readonly HubCounts[]> => {
    const query = new URLSearchParams({ ...by, ...(server === undefined ? {} : { server }) });
    return (await hub.ask<{ tools: readonly HubCounts[] }>(`/api/stats?${query}`)).tools;
  };
  // In this order: what agents call in between is then in the second answer at least.
  const byAgents = await ask({ by: 'agents' });
  return { all: await ask({}), byAgents };
}

/** Most used first. */
export function withCounts(kept: readonly ToolStatistics[], { all, byAgents }: CountedAtHub): ToolStatistics[] {
  const rows = new Map(kept.map(row => [toolKey(row), row]));
  const agents = new Map(byAgents.map(row => [toolKey(row), row]));
  for (const row of all) rows.set(toolKey(row), together(rows.get(toolKey(row)), row, agents.get(toolKey(row))));
  return [...rows.values()].sort((a, b) => b.calls - a.calls || compare(a.server, b.server) || compare(a.tool, b.tool));
}

function together(kept: ToolStatistics | undefined, hub: HubCounts, agents: HubCounts | undefined): ToolStatistics {
  const { server, tool, last_used } = hub;
  const own = kept ?? { server, tool, calls: 0, errors: 0, cached: 0, bytes: 0, tokens: 0 };
  // Calls of people are mostly in both: whichever saw more of them is right.
  const people = own.calls > hub.calls - (agents?.calls ?? 0) ? own : less(hub, agents);
  // Times cannot be added up: they are those of whichever has more of them.
  const { p50_ms, p95_ms } = own.calls > hub.calls ? own : hub;
  return {
    ...own,
    calls: people.calls + (agents?.calls ?? 0),
    errors: people.errors + (agents?.errors ?? 0),
    bytes: people.bytes + (agents?.bytes ?? 0),
    ...(p50_ms == null ? {} : { p50_ms }),
    ...(p95_ms == null ? {} : { p95_ms }),
    last_used: own.last_used !== undefined && own.last_used > last_used ? own.last_used : last_used,
  };
}

function less(all: HubCounts, some: HubCounts | undefined): Pick<HubCounts, 'calls' | 'errors' | 'bytes'> {
  const { calls = 0, errors = 0, bytes = 0 } = some ?? {};
  return { calls: all.calls - calls, errors: all.errors - errors, bytes: all.bytes - bytes };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
