import * as z from 'zod/mini';
import type { Records } from '../../calls/records.ts';
import type { CallFilter, StoredCall } from '../../store/call-search.ts';
import { gather } from '../every-hub.ts';
import { type Route, route } from '../route.ts';
import {
  agentId,
  asMs,
  asSwitch,
  DEFAULT_LIMIT,
  iso,
  limit,
  moment,
  onlyHere,
  serverId,
  silentHubs,
  whichHub,
  yesOrNo,
} from '../shapes/query.ts';

export const CallEntry = z.object({
  call_id: z.string(),
  bearer: z.string().check(z.describe('Whose token it came with: person or agent.')),
  agent: z.nullable(z.string()),
  person: z.nullable(z.string()).check(z.describe('Who made it, where their token or login has a name.')),
  surface: z.nullable(z.string()).check(z.describe('Where it entered: agent-endpoint, server-endpoint or rest.')),
  project: z.nullable(z.string()).check(z.describe('The folder of the project it was made in; null: in none.')),
  session: z.string(),
  server: z.string(),
  tool: z.string(),
  verdict: z.string(),
  because: z.string(),
  started: z.string(),
  ms: z.number(),
  bytes_in: z.int(),
  bytes_out: z.int(),
  outcome: z.enum(['done', 'not_sent', 'unknown']),
  failed: z.boolean(),
  code: z.nullable(z.string()),
  arguments: z.nullable(z.string()).check(z.describe('As JSON, secrets masked, cut where it is long.')),
});

export const Running = z.object({
  call_id: z.string(),
  bearer: z.string(),
  agent: z.nullable(z.string()),
  person: z.nullable(z.string()),
  surface: z.nullable(z.string()),
  project: z.nullable(z.string()),
  session: z.string(),
  server: z.string(),
  tool: z.string(),
  started: z.string(),
  sent: z.boolean(),
  hub: whichHub,
});

export type RunningEntry = z.infer<typeof Running>;

export const Calls = z.object({
  running: z.array(Running).check(z.describe('What runs at this moment; no filter applies.')),
  calls: z.array(CallEntry).check(z.describe('What is over, newest first.')),
  next: z.nullable(z.int()).check(z.describe('Give it as before to read on; null at the end.')),
  silent_hubs: silentHubs,
});

/** Which calls are meant. */
export const WHICH = {
  agent: z.optional(agentId),
  project: z.optional(z.string()).check(z.describe('The folder of a project.')),
  session: z.optional(z.string()),
  server: z.optional(serverId),
  tool: z.optional(z.string()),
  outcome: z.optional(z.enum(['done', 'not_sent', 'unknown'])),
  failed: yesOrNo,
  text: z
    .optional(z.string())
    .check(z.describe('In agent, server, tool, reason, code or arguments, in upper or lower case.')),
  since: moment,
  until: moment,
};

const cursor = z.optional(z.coerce.number('a whole number').check(z.int('a whole number')));

export const CALLS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/calls',
    summary: 'Every call that passed the hub: who, what, the verdict, how long, how large, what became of it.',
    query: z.object({ ...WHICH, before: cursor, limit, hub: onlyHere }),
    answers: { 200: { description: 'The calls.', schema: Calls } },
    async run({ query: { before, limit: wanted = DEFAULT_LIMIT, hub, ...which } }, rooms) {
      const { running, missing } = await gather(rooms, hub);
      const rows = await rooms.records.callSearch.list({ ...filterOf(which), before }, wanted);
      const next = rows.length < wanted ? null : (rows.at(-1)?.seq ?? null);
      return { body: { running: [...running], calls: rows.map(shown), next, ...missing } };
    },
  }),
];

export function filterOf({ failed, since, until, ...same }: z.infer<z.ZodMiniObject<typeof WHICH>>): CallFilter {
  return { ...same, failed: asSwitch(failed), since: asMs(since), until: asMs(until) };
}

/** What ended a moment ago is in it. */
export async function found(records: Records, filter: CallFilter, limit: number): Promise<StoredCall[]> {
  await records.flush();
  return records.callSearch.list(filter, limit);
}

export function shown({
  seq: _seq,
  started,
  agent,
  person,
  surface,
  project,
  failed,
  outcome,
  ...call
}: StoredCall): z.infer<typeof CallEntry> {
  return {
    ...call,
    agent: agent || null,
    person: person || null,
    surface: surface || null,
    project: project || null,
    started: iso(started),
    outcome: outcome as 'done',
    failed: failed === 1,
  };
}
