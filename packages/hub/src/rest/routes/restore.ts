import * as z from 'zod/mini';
import { ConfigFile } from '../config-file.ts';
import { notFound } from '../failure.ts';
import { type Route, route } from '../route.ts';
import { serverId } from '../shapes/query.ts';
import { Written, written } from './servers.ts';

export const RESTORE: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/servers/{id}/restore',
    act: 'server.restore',
    summary: 'Puts back a server that was taken out within the last ten minutes.',
    params: z.object({ id: serverId }),
    answers: { 200: { description: 'It is written and in force.', schema: Written } },
    async run({ params: { id } }, rooms) {
      const removal = rooms.removals.find(id);
      if (!removal) throw notFound(`No server '${id}' was taken out lately.`, 'add it again: POST /api/servers');
      return { body: written(rooms, id, await new ConfigFile(rooms).restore(removal)) };
    },
  }),
];
