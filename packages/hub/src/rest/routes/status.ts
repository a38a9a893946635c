import * as z from 'zod/mini';
import { expectAgent } from '../agent-view.ts';
import { type Route, route } from '../route.ts';
import { agentId, executorId } from '../shapes/query.ts';

export const ServerStatus = z.object({
  id: z.string(),
  state: z.enum(['disabled', 'untrusted', 'idle', 'connecting', 'auth_required', 'ready', 'error']),
  transport: z.enum(['stdio', 'http', 'streamable_http', 'sse', 'ws']).check(z.describe('The written word.')),
  source: z.string().check(z.describe('The layer that defines it.')),
  enabled: z.boolean(),
  tools: z.number().check(z.describe('How many of its tools are available now.')),
  last_error: z.optional(
    z.object({ code: z.string(), message: z.string(), why: z.optional(z.string()), hint: z.optional(z.string()) }),
  ),
  last_connected_at: z.optional(z.string()),
  protocol_version: z.optional(z.string()),
  latency_ms: z.optional(z.number()),
});

export const STATUS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/status',
    summary: 'Every server and how it is: of the config files, or of one agent; here, or on an executor.',
    query: z.object({
      agent: z.optional(agentId),
      executor: z.optional(executorId).check(z.describe('Of agents that run there. Default local.')),
    }),
    answers: { 200: { description: 'The servers.', schema: z.object({ servers: z.array(ServerStatus) }) } },
    async run({ query }, rooms) {
      const { book } = rooms;
      const { executor = 'local' } = query;
      const agent = query.agent === undefined ? undefined : expectAgent(rooms, query.agent);
      const host = executor === 'local' ? book.hostOf(agent) : await book.settled(agent, executor);
      if (agent === undefined) return { body: { servers: host.status() } };
      const servers = host.status().filter(({ id }) => host.serves(agent, id));
      return { body: { servers } };
    },
  }),
];
