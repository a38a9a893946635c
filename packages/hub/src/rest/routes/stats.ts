import * as z from 'zod/mini';
import { type Route, route } from '../route.ts';
import { agentId, iso, serverId } from '../shapes/query.ts';

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

export const STATS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/stats',
    summary: 'What calls came to, tool by tool: of all agents, or of one.',
    query: z.object({ agent: z.optional(agentId), server: z.optional(serverId) }),
    answers: { 200: { description: 'The tools.', schema: z.object({ tools: z.array(ToolStatistics) }) } },
    async run({ query }, { records }) {
      await records.flush();
      const tools = await records.callRows.statistics(query);
      return { body: { tools: tools.map(({ last_used, ...tool }) => ({ ...tool, last_used: iso(last_used) })) } };
    },
  }),
];
