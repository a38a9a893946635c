import * as z from 'zod/mini';
import { type Route, route } from '../route.ts';
import { serverId } from '../shapes/query.ts';

export const Instance = z.object({
  server: z.string(),
  mode: z.enum(['shared', 'per_session']),
  state: z.string().check(z.describe('As in /api/status.')),
  era: z.nullable(z.enum(['legacy', 'modern'])),
  calls: z.int().check(z.describe('How many requests run there now.')),
  sessions: z
    .array(z.object({ id: z.string(), door: z.string(), client: z.string(), since: z.string() }))
    .check(z.describe('Who uses it; several share it.')),
});

export const INSTANCES: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/instances',
    summary: 'Every life of every server, and the sessions that share it.',
    query: z.object({ server: z.optional(serverId) }),
    answers: { 200: { description: 'What runs now.', schema: z.object({ instances: z.array(Instance) }) } },
    async run({ query: { server } }, { instances }) {
      const wanted = instances().filter(one => server === undefined || one.server === server);
      const shown = wanted.map(({ era, sessions, ...one }) => ({
        ...one,
        era: era ?? null,
        sessions: sessions.map(({ since, ...session }) => ({ ...session, since: since.toISOString() })),
      }));
      return { body: { instances: shown } };
    },
  }),
];
