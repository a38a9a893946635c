import * as z from 'zod/mini';
import { expectAgent } from '../agent-view.ts';
import { named } from '../every-hub.ts';
import { hostFor, ShownProject, shownProject } from '../project-host.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { agentId, executorId, onlyHere, projectId, silentHubs } from '../shapes/query.ts';

const State = z.enum(['disabled', 'untrusted', 'idle', 'connecting', 'auth_required', 'ready', 'error']);

export const ServerStatus = z.object({
  id: z.string(),
  state: State,
  transport: z.enum(['stdio', 'http', 'streamable_http', 'sse', 'ws']).check(z.describe('The written word.')),
  source: z.string().check(z.describe('The layer that defines it; stored: it was posted for this agent.')),
  enabled: z.boolean(),
  tools: z.number().check(z.describe('How many of its tools are available now.')),
  last_error: z.optional(
    z.object({ code: z.string(), message: z.string(), why: z.optional(z.string()), hint: z.optional(z.string()) }),
  ),
  last_connected_at: z.optional(z.string()),
  protocol_version: z.optional(z.string()),
  latency_ms: z.optional(z.number()),
  hubs: z
    .optional(z.array(z.object({ hub: z.string(), state: State, tools: z.number() })))
    .check(z.describe('Where several hubs stand on one database: how it is at each that has it.')),
});

const Status = z.object({ project: ShownProject, servers: z.array(ServerStatus), silent_hubs: silentHubs });

const StatusQuery = z.object({
  agent: z.optional(agentId),
  executor: z.optional(executorId).check(z.describe('Of agents that run there. Default local.')),
  project: projectId,
  hub: onlyHere,
});

export const STATUS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/status',
    summary: 'Every server and how it is: of the config files, or of one agent; here, or on an executor.',
    query: StatusQuery,
    answers: { 200: { description: 'The servers.', schema: Status } },
    async run({ query }, rooms) {
      const servers = await statusHere(rooms, query);
      const project = shownProject(rooms, query.project);
      const { here } = rooms.peers;
      // Another hub knows nothing of the folders of this machine.
      if (here === undefined || query.hub === 'here' || query.project !== undefined)
        return { body: { project, servers } };
      const asked = new URLSearchParams(query as Record<string, string>);
      const { answers, silent } = await rooms.peers.ask<z.infer<typeof Status>>(`/api/status?${asked}`);
      const all = [{ id: here, servers }, ...answers.map(({ id, body }) => ({ id, servers: body.servers }))];
      return { body: { project, servers: together(all), ...named(silent) } };
    },
  }),
];

type Entry = z.infer<typeof ServerStatus>;
type Query = z.infer<typeof StatusQuery>;

async function statusHere(rooms: Rooms, { agent: asked, executor, project }: Query): Promise<Entry[]> {
  const agent = asked === undefined ? undefined : expectAgent(rooms, asked);
  const host = await hostFor(rooms, { agent, executor, project });
  const all = host.status().map(entry => ({ ...entry, source: entry.source === 'override' ? 'stored' : entry.source }));
  return agent === undefined ? all : all.filter(({ id }) => host.serves(agent, id));
}

/** Each server once, as the first hub that has it sees it, and how it is at all of them. */
function together(hubs: readonly { readonly id: string; readonly servers: readonly Entry[] }[]): Entry[] {
  const seen = hubs.flatMap(({ id: hub, servers }) => servers.map(server => ({ hub, server })));
  return [...Map.groupBy(seen, ({ server }) => server.id).values()].map(all => ({
    ...(all[0] as (typeof all)[number]).server,
    hubs: all.map(({ hub, server: { state, tools } }) => ({ hub, state, tools })),
  }));
}
