import * as z from 'zod/mini';
import { gather } from '../every-hub.ts';
import { type Route, route } from '../route.ts';
import { agentId, iso, onlyHere, serverId, silentHubs } from '../shapes/query.ts';

export const ToolStatistics = z.object({
  server: z.string(),
  tool: z.string(),
  calls: z.int(),
  errors: z.int(),
  p50_ms: z.nullable(z.number()),
  p95_ms: z.nullable(z.number()),
  bytes: z.int().check(z.describe('What its answers came to.')),
  last_used: z.string(),
});

const onlyAgents = z
  .optional(z.enum(['agents'], 'agents'))
  .check(z.describe('agents: only calls that came by the door of an agent.'));

export const STATS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/stats',
    summary: 'What calls came to, tool by tool: of all agents, or of one.',
    query: z.object({ agent: z.optional(agentId), server: z.optional(serverId), by: onlyAgents, hub: onlyHere }),
    answers: {
      200: { description: 'The tools.', schema: z.object({ tools: z.array(ToolStatistics), silent_hubs: silentHubs }) },
    },
    async run({ query: { hub, ...which } }, rooms) {
      const { missing } = await gather(rooms, hub);
      const found = await rooms.records.callRows.statistics(which);
      const tools = found.map(({ last_used, ...tool }) => ({ ...tool, last_used: iso(last_used) }));
      return { body: { tools, ...missing } };
    },
  }),
];
