import * as z from 'zod/mini';
import { hubMark, named } from '../every-hub.ts';
import { type Route, route } from '../route.ts';
import { onlyHere, serverId, silentHubs, whichHub } from '../shapes/query.ts';

export const Instance = z.object({
  server: z.string(),
  mode: z.enum(['shared', 'per_session']),
  state: z.string().check(z.describe('As in /api/status.')),
  era: z.nullable(z.enum(['legacy', 'modern'])),
  life: z.int().check(z.describe('Its number: no other life in this hub has it.')),
  processes: z.nullable(z.int()).check(z.describe('How many processes it is; null: none of ours, or unknown.')),
  memory_bytes: z.nullable(z.int()).check(z.describe('What they take; null where the system does not tell.')),
  used: z.string().check(z.describe('When it was used last.')),
  calls: z.int().check(z.describe('How many requests run there now.')),
  sessions: z
    .array(z.object({ id: z.string(), door: z.string(), client: z.string(), since: z.string() }))
    .check(z.describe('Who uses it; several share it.')),
  hub: whichHub,
});

const Instances = z.object({ instances: z.array(Instance), silent_hubs: silentHubs });

export const INSTANCES: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/instances',
    summary: 'Every life of every server, and the sessions that share it.',
    query: z.object({ server: z.optional(serverId), hub: onlyHere }),
    answers: { 200: { description: 'What runs now.', schema: Instances } },
    async run({ query: { server, hub } }, { instances, sizes, peers }) {
      const path = server === undefined ? '/api/instances' : `/api/instances?server=${server}`;
      const others = hub === 'here' ? undefined : peers.ask<z.infer<typeof Instances>>(path);
      const families = await sizes.now();
      const wanted = instances().filter(one => server === undefined || one.server === server);
      const shown = wanted.map(({ era, sessions, pid, used, ...one }) => ({
        ...one,
        processes: pid === undefined ? null : (families.get(pid)?.processes ?? null),
        memory_bytes: pid === undefined ? null : (families.get(pid)?.bytes ?? null),
        used: used.toISOString(),
        era: era ?? null,
        sessions: sessions.map(({ since, ...session }) => ({ ...session, since: since.toISOString() })),
        ...hubMark(peers.here),
      }));
      const { answers = [], silent = [] } = (await others) ?? {};
      const elsewhere = answers.flatMap(({ body }) => body.instances);
      return { body: { instances: [...shown, ...elsewhere], ...named(silent) } };
    },
  }),
];
