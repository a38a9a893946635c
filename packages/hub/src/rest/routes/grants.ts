import type { Grant } from '@junctor/core';
import * as z from 'zod/mini';
import { notFound } from '../failure.ts';
import { type Route, route } from '../route.ts';
import { serverId } from '../shapes/query.ts';

export const GrantEntry = z.object({
  id: z.string(),
  server: z.string(),
  tool: z.string(),
  agent: z.nullable(z.string()).check(z.describe('The agent it is for; empty: people; null: every agent.')),
  when: z.nullable(z.string()).check(z.describe('Only for such arguments.')),
  granted_at: z.string(),
});

export const GRANTS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/grants',
    summary: 'What was allowed for always, so that it is not asked about again.',
    query: z.object({ server: z.optional(serverId) }),
    answers: { 200: { description: 'Oldest first.', schema: z.object({ grants: z.array(GrantEntry) }) } },
    async run({ query: { server } }, { book }) {
      const grants = await book.common.grants.list();
      return { body: { grants: grants.filter(one => server === undefined || one.server === server).map(shown) } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/grants/{id}',
    act: 'grant.revoke',
    summary: 'Takes a yes back: the tool is asked about again.',
    params: z.object({ id: z.string() }),
    answers: { 200: { description: 'It counts no more.', schema: z.object({ success: z.literal(true) }) } },
    async run({ params: { id } }, { book }) {
      if ((await book.common.grants.revoke(id)) > 0) return { body: { success: true } };
      throw notFound(`There is no grant '${id}'.`, 'junctor approvals grants, and GET /api/grants, list them');
    },
  }),
];

function shown({ id, server, tool, agent, when, granted_at }: Grant): z.infer<typeof GrantEntry> {
  return { id, server, tool, agent: agent ?? null, when: when ?? null, granted_at };
}
