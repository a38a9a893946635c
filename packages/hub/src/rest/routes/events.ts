import * as z from 'zod/mini';
import type { HubEvent } from '../../calls/hub-events.ts';
import { EVENT_STREAM } from '../../endpoint/stream-headers.ts';
import { type Route, route } from '../route.ts';
import { agentId, onlyHere, serverId } from '../shapes/query.ts';

/** Proxies and clients give up on a stream that stays silent longer. */
const SIGN_EVERY_MS = 25_000;

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
      const encoder = new TextEncoder();
      const last = headers.get('last-event-id') ?? undefined;
      const stream = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            const write = (text: string): void => controller.enqueue(encoder.encode(text));
            const send = (event: HubEvent): void => {
              if (!wanted(event)) return;
              if ((controller.desiredSize ?? 0) <= 0) return stop();
              write(asText(event));
            };
            const { missed, incomplete, end } = events.subscribe(send, last, { here: hub === 'here' });
            const sign = setInterval(() => write(': still here\n\n'), SIGN_EVERY_MS);
            const stop = (): void => {
              clearInterval(sign);
              end();
              signal.removeEventListener('abort', stop);
              try {
                controller.close();
              } catch {
                // The client has gone already.
              }
            };
            signal.addEventListener('abort', stop);
            // Headers reach the client at once, not with the first event.
            write(': here\n\n');
            if (incomplete && last !== undefined)
              write(`event: events-lost\ndata: ${JSON.stringify({ type: 'events-lost', since: last })}\n\n`);
            for (const event of missed) send(event);
            if (signal.aborted) stop();
          },
        },
        { highWaterMark: MAX_UNREAD },
      );
      return new Response(stream, { headers: EVENT_STREAM });
    },
  }),
];

function asText({ id, type, data }: HubEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;
}
