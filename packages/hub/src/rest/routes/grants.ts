import type { Grant } from '@junctor/core';
import * as z from 'zod/mini';
import { notFound } from '../failure.ts';
import { hostFor } from '../project-host.ts';
import { type Route, route } from '../route.ts';
import { projectFilter, serverId } from '../shapes/query.ts';

export const GrantEntry = z.object({
  id: z.string(),
  server: z.string(),
  tool: z.string(),
  agent: z.nullable(z.string()).check(z.describe('The agent it is for; empty: people; null: every agent.')),
  when: z.nullable(z.string()).check(z.describe('Only for such arguments.')),
  file: z.nullable(z.string()).check(z.describe('The config file that defines the server; null: none does.')),
  granted_at: z.string(),
});

export const GRANTS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/grants',
    summary: 'What was allowed for always, so that it is not asked about again.',
    query: z.object({ server: z.optional(serverId), project: projectFilter }),
    answers: { 200: { description: 'Oldest first.', schema: z.object({ grants: z.array(GrantEntry) }) } },
    async run({ query: { server, project } }, rooms) {
      const { grants: kept } = rooms.book.common;
      const there = project === undefined ? undefined : (await hostFor(rooms, { project })).grants;
      const wanted = (one: Grant): boolean =>
        (server === undefined || one.server === server) && (there?.concerns(one) ?? true);
      return { body: { grants: (await kept.list()).filter(wanted).map(shown) } };
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

function shown({ id, server, tool, agent, when, file, granted_at }: Grant): z.infer<typeof GrantEntry> {
  return { id, server, tool, agent: agent ?? null, when: when ?? null, file, granted_at };
}
