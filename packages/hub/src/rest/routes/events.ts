import * as z from 'zod/mini';
import type { HubEvent } from '../../calls/hub-events.ts';
import { eventStream } from '../event-stream.ts';
import { type Route, route } from '../route.ts';
import { agentId, onlyHere, serverId } from '../shapes/query.ts';

/** A listener that does not read is let go: it may come back and be told what it missed. */
const MAX_UNREAD = 2000;

export const EVENTS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/events',
    summary: 'What happens in the hub, as it happens. With Last-Event-ID, what was missed comes first.',
    query: z.object({
      types: z
        .optional(z.string())
        .check(z.describe('Only these, apart by commas: state-changed,session-opened,tool-call-end')),
      server: z.optional(serverId),
      agent: z.optional(agentId),
      hub: onlyHere,
    }),
    answers: {
      200: {
        description: 'A stream of events: id, event (its type) and data (JSON).',
        contentType: 'text/event-stream',
      },
    },
    async run({ query: { types, server, agent, hub }, headers, signal }, { events }) {
      if (hub === undefined) await events.reachAll();
      const wantedTypes = types?.split(',').map(type => type.trim());
      const wanted = ({ type, data }: HubEvent): boolean => {
        if (wantedTypes && !wantedTypes.includes(type)) return false;
        if (server === undefined && agent === undefined) return true;
        const about = JSON.parse(data) as { server?: string; agent?: string };
        return (server === undefined || about.server === server) && (agent === undefined || about.agent === agent);
      };
      const last = headers.get('last-event-id') ?? undefined;
      return eventStream({ signal, maxUnread: MAX_UNREAD }, outlet => {
        const send = (event: HubEvent): void => {
          if (!wanted(event)) return;
          if (outlet.room <= 0) return outlet.stop();
          outlet.write(asText(event));
        };
        const { missed, incomplete, end } = events.subscribe(send, last, { here: hub === 'here' });
        if (incomplete && last !== undefined)
          outlet.write(`event: events-lost\ndata: ${JSON.stringify({ type: 'events-lost', since: last })}\n\n`);
        for (const event of missed) send(event);
        return end;
      });
    },
  }),
];

function asText({ id, type, data }: HubEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;
}
