import * as z from 'zod/mini';
import type { AttachmentRow, SessionRow } from '../../store/tables.ts';
import { QUIET_MS } from '../../visit/sessions.ts';
import { gather, hubMark } from '../every-hub.ts';
import { hostAtEndpoint } from '../project-host.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import {
  agentId,
  asSwitch,
  DEFAULT_LIMIT,
  iso,
  isoOrNull,
  limit,
  onlyHere,
  projectFolder,
  silentHubs,
  whichHub,
  yesOrNo,
} from '../shapes/query.ts';

const when = z.nullable(z.string());

const Attachment = z.object({
  server: z.string(),
  configured: z.boolean().check(z.describe('A config defines it for this agent.')),
  filtered: z.nullable(z.string()).check(z.describe('Why this agent does not get it; null: it does.')),
  delivered: when.check(z.describe('When it was first offered to this session.')),
  initialised: when.check(z.describe('When the client finished its greeting.')),
  listed: when.check(z.describe('When the client first asked for its tools.')),
  called: when.check(z.describe('When the client first called one of them.')),
});

export const Session = z.object({
  id: z.string(),
  agent: z.nullable(z.string()),
  server: z.nullable(z.string()).check(z.describe("At a server's own door: which one.")),
  project: z.nullable(z.string()).check(z.describe('The folder of the project its client works in; null: in none.')),
  client: z.string().check(z.describe('What the client calls itself.')),
  protocol: z.string(),
  opened: z.string(),
  seen: z.string(),
  closed: when,
  connected: z
    .boolean()
    .check(z.describe('Its client is there: it has a connection open, or asked something within the last minute.')),
  hub: whichHub,
  servers: z.array(Attachment),
});

export const SESSIONS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/sessions',
    summary: 'Sessions of clients, and how far each has come with each server. A step is shown only where it was seen.',
    query: z.object({ agent: z.optional(agentId), project: projectFolder, open: yesOrNo, limit, hub: onlyHere }),
    answers: {
      200: { description: 'Newest first.', schema: z.object({ sessions: z.array(Session), silent_hubs: silentHubs }) },
    },
    async run({ query }, rooms) {
      const { records } = rooms;
      const { missing } = await gather(rooms, query.hub);
      const { agent, project } = query;
      const filter = { agent, project, open: asSwitch(query.open), limit: query.limit ?? DEFAULT_LIMIT };
      const rows = await records.sessionRows.list(filter);
      const attachments = Map.groupBy(
        await records.sessionRows.attachments(rows.map(({ id }) => id)),
        ({ session }) => session,
      );
      return { body: { sessions: rows.map(row => shown(rooms, row, attachments.get(row.id) ?? [])), ...missing } };
    },
  }),
];

function shown(rooms: Rooms, row: SessionRow, seen: readonly AttachmentRow[]): z.infer<typeof Session> {
  const { id, agent, server, project, client, protocol, opened, seen: last, closed, hub } = row;
  return {
    id,
    agent: agent || null,
    server: server || null,
    project: project || null,
    client,
    protocol,
    opened: iso(opened),
    seen: iso(last),
    closed: isoOrNull(closed),
    connected: closed === null && (isElsewhere(rooms, row) ? Date.now() - last < QUIET_MS : rooms.isConnected(id)),
    ...hubMark(rooms.peers.here && hub),
    servers: attachmentsOf(rooms, row, seen),
  };
}

/** Only its own hub sees the connections of a client. */
function isElsewhere({ register }: Rooms, { hub }: SessionRow): boolean {
  return register !== undefined && hub !== register.id;
}

/** Every server that is defined for the agent now, and every one the session was seen with. */
function attachmentsOf(rooms: Rooms, { agent, server, door }: SessionRow, seen: readonly AttachmentRow[]) {
  const host = hostAtEndpoint(rooms, agent || undefined, door);
  const byServer = new Map(seen.map(row => [row.server, row]));
  const leftOut = new Map(host.resolution.leftOut.map(({ id, because }) => [id, because]));
  const defined = server ? [server] : [...host.loaded.servers.keys()];
  return [...new Set([...defined, ...byServer.keys()])].sort().map(id => {
    const row = byServer.get(id);
    const refused = leftOut.get(id) ?? (agent && !host.serves(agent, id) ? `agent '${agent}' does not get it` : null);
    return {
      server: id,
      configured: host.loaded.servers.has(id),
      filtered: refused,
      delivered: isoOrNull(row?.delivered ?? null),
      initialised: isoOrNull(row?.initialised ?? null),
      listed: isoOrNull(row?.listed ?? null),
      called: isoOrNull(row?.called ?? null),
    };
  });
}
