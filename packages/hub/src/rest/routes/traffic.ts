import type { Host } from '@junctor/core';
import * as z from 'zod/mini';
import { eventStream } from '../event-stream.ts';
import { hostFor } from '../project-host.ts';
import { type Route, route } from '../route.ts';
import { projectId, serverId } from '../shapes/query.ts';
import { expectServer } from './servers.ts';

/** Something that was said to a server, by it, or printed by its program. */
export const SeenTraffic = z.object({
  at: z.string(),
  life: z.int().check(z.describe('Which life of the server, as in /api/instances.')),
  kind: z.enum(['sent', 'received', 'printed']),
  bytes: z.int(),
  text: z.string(),
});

/** What a reader is behind with: beyond it, messages are counted and not kept. */
const MAX_UNREAD = 500;

export const TRAFFIC: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/servers/{id}/traffic',
    summary: 'What is said to a server and by it from now on, and what its program prints and printed last. Masked.',
    params: z.object({ id: serverId }),
    query: z.object({ project: projectId }),
    answers: {
      200: {
        description: 'A stream of events: seen, with JSON; missed, with how many a slow reader was not told of.',
        contentType: 'text/event-stream',
      },
    },
    async run({ params: { id }, query: { project }, signal }, rooms) {
      const host = await hostFor(rooms, { project });
      expectServer(host, id);
      const hosts = (): Iterable<Host> =>
        rooms.book.allHosts().flatMap(one => (one.project?.id === project ? [one.host] : []));
      let missed = 0;
      return eventStream({ signal, maxUnread: MAX_UNREAD }, outlet =>
        rooms.watch({ server: id, hosts }, seen => {
          if (outlet.room <= 1) {
            missed++;
            return;
          }
          if (missed > 0) outlet.write(`event: missed\ndata: ${missed}\n\n`);
          missed = 0;
          const masked = { ...seen, text: host.mask(seen.text) };
          outlet.write(`event: seen\ndata: ${JSON.stringify(masked)}\n\n`);
        }),
      );
    },
  }),
];
