/** Statistics as people and programs read them: one row a tool, used or not. */

import { toolKey } from '../base/tool-key.ts';
import { quantile } from '../calls/durations.ts';
import type { Tallies, Tally } from '../calls/statistics.ts';
import { readTallies, statisticsPath } from '../calls/statistics-file.ts';
import { definitionTokens } from '../catalogue/definition-tokens.ts';
import type { Snapshot } from '../catalogue/snapshot.ts';
import { dataDirectory } from '../config/sources/places.ts';
import { type KnownTools, type KnownToolsOptions, knownTools } from './lists/known-tools.ts';

/** What the calls of one tool came to. */
export interface ToolStatistics {
  /** The id of the server. */
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** How often it was called. */
  readonly calls: number;
  /** How many of these failed. */
  readonly errors: number;
  /** Answers from the result cache, which are no calls. */
  readonly cached: number;
  /** Half of the calls, and 95 of 100, were over within these times. Absent before the first call. */
  readonly p50_ms?: number;
  /** Within this time 95 of 100 calls were over. */
  readonly p95_ms?: number;
  /** What its server sent as results, media included. */
  readonly bytes: number;
  /** What was handed on of them, as text. */
  readonly tokens: number;
  /** What its definition costs in every request that offers it. Absent while the tool is not known. */
  readonly definition_tokens?: number;
  /** As an ISO date. */
  readonly last_used?: string;
}

export interface UsageReport extends Pick<KnownTools, 'loaded'> {
  /** Most used first. */
  readonly tools: readonly ToolStatistics[];
}

/** What is known without starting a server: counts of all runs, and the definitions that were last listed. */
export async function usageReport(options: KnownToolsOptions): Promise<UsageReport> {
  const { loaded, snapshot } = await knownTools(options);
  const all = await readTallies(statisticsPath(dataDirectory(options.surroundings, options.data)));
  const { only } = options;
  const tallies = only === undefined ? all : new Map([...all].filter(([server]) => server === only));
  return { loaded, tools: statisticsRows(tallies, snapshot) };
}

export function statisticsRows(tallies: Tallies, snapshot: Pick<Snapshot, 'entries'> | undefined): ToolStatistics[] {
  const rows = new Map<string, ToolStatistics>();
  for (const [server, tools] of tallies) {
    for (const [tool, tally] of tools) rows.set(toolKey({ server, tool }), rowOf(server, tool, tally));
  }
  for (const { server, tool, definition } of snapshot?.entries ?? []) {
    const key = toolKey({ server, tool });
    const row = rows.get(key) ?? { server, tool, calls: 0, errors: 0, cached: 0, bytes: 0, tokens: 0 };
    rows.set(key, { ...row, definition_tokens: definitionTokens([definition]) });
  }
  return [...rows.values()].sort((a, b) => b.calls - a.calls || compare(a.server, b.server) || compare(a.tool, b.tool));
}

function rowOf(server: string, tool: string, { durations, lastUsed, ...counts }: Tally): ToolStatistics {
  const { calls, errors, cached, bytes, tokens } = counts;
  const [p50, p95] = [quantile(durations, 0.5), quantile(durations, 0.95)];
  return {
    server,
    tool,
    calls,
    errors,
    cached,
    ...(p50 === undefined ? {} : { p50_ms: p50 }),
    ...(p95 === undefined ? {} : { p95_ms: p95 }),
    bytes,
    tokens,
    last_used: new Date(lastUsed).toISOString(),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
