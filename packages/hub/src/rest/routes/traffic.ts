import * as z from 'zod/mini';
import { EVENT_STREAM } from '../../endpoint/stream-headers.ts';
import type { Seen } from '../../relay/onlookers.ts';
import { type Route, route } from '../route.ts';
import { serverId } from '../shapes/query.ts';
import { expectServer } from './servers.ts';

/** Something that was said to a server, by it, or printed by its program. */
export const SeenTraffic = z.object({
  at: z.string(),
  life: z.int().check(z.describe('Which life of the server, as in /api/instances.')),
  kind: z.enum(['sent', 'received', 'printed']),
  bytes: z.int(),
  text: z.string(),
});

/** Proxies and clients give up on a stream that stays silent longer. */
const SIGN_EVERY_MS = 25_000;

/** What a reader is behind with: beyond it, messages are counted and not kept. */
const MAX_UNREAD = 500;

export const TRAFFIC: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/servers/{id}/traffic',
    summary: 'What is said to a server and by it from now on, and what its program prints and printed last. Masked.',
    params: z.object({ id: serverId }),
    answers: {
      200: {
        description: 'A stream of events: seen, with JSON; missed, with how many a slow reader was not told of.',
        contentType: 'text/event-stream',
      },
    },
    async run({ params: { id }, signal }, rooms) {
      expectServer(rooms, id);
      const encoder = new TextEncoder();
      let missed = 0;
      const stream = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            const write = (text: string): void => {
              if (!signal.aborted) controller.enqueue(encoder.encode(text));
            };
            const tell = (seen: Seen): void => {
              if ((controller.desiredSize ?? 0) <= 1) {
                missed++;
                return;
              }
              if (missed > 0) write(`event: missed\ndata: ${missed}\n\n`);
              missed = 0;
              const masked = { ...seen, text: rooms.book.common.mask(seen.text) };
              write(`event: seen\ndata: ${JSON.stringify(masked)}\n\n`);
            };
            // Headers reach the client at once, not with the first message.
            write(': here\n\n');
            const stop = rooms.watch(id, tell);
            const sign = setInterval(() => write(': still here\n\n'), SIGN_EVERY_MS);
            const end = (): void => {
              clearInterval(sign);
              stop();
              try {
                controller.close();
              } catch {
                // The client has gone already.
              }
            };
            if (signal.aborted) end();
            else signal.addEventListener('abort', end, { once: true });
          },
        },
        { highWaterMark: MAX_UNREAD },
      );
      return new Response(stream, { headers: EVENT_STREAM });
    },
  }),
];
