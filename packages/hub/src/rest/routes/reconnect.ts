import { type Host, isJunctorError, type ServerStatus as Status } from '@junctor/core';
import * as z from 'zod/mini';
import { connectAgain } from '../../agents/connect-again.ts';
import { hostFor } from '../project-host.ts';
import { type Route, route } from '../route.ts';
import { projectId, serverId } from '../shapes/query.ts';
import { expectServer } from './servers.ts';
import { ServerStatus } from './status.ts';

export const RECONNECT: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/servers/{id}/reconnect',
    act: 'server.reconnect',
    summary: 'Ends the connection to a server and opens it anew, whatever became of it before.',
    params: z.object({ id: serverId }),
    query: z.object({ project: projectId }),
    answers: {
      200: { description: 'How it is now; that it failed is no failure of the request.', schema: ServerStatus },
    },
    async run({ params: { id }, query }, rooms) {
      const host = await hostFor(rooms, query);
      expectServer(host, id);
      // One that is off or not approved says so here.
      host.links.expect(id);
      return { body: await howItIs(host, id) };
    },
  }),
];

async function howItIs(host: Host, id: string): Promise<Status | undefined> {
  try {
    await connectAgain(host, id);
  } catch (error) {
    if (!isJunctorError(error)) throw error;
  }
  return host.status().find(one => one.id === id);
}
