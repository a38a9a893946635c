import type { ToolResult } from '@junctor/core';
import * as z from 'zod/mini';
import { callByPerson } from '../../calls/person-call.ts';
import { jsonLines } from '../json-lines.ts';
import { hostFor, shownProject } from '../project-host.ts';
import { type Route, route } from '../route.ts';
import { projectId, serverId } from '../shapes/query.ts';

export const RUN_CALL: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/calls',
    changesNothing: true,
    summary: 'Calls a tool on behalf of the person who asks: what the rules deny is denied, and it is written down.',
    query: z.object({ project: projectId }),
    body: z.strictObject({
      server: serverId,
      tool: z.string().check(z.describe("The server's own name for it.")),
      arguments: z.optional(z.looseObject({})),
    }),
    keepsDigits: true,
    answers: {
      200: {
        description: 'A line of JSON for each progress, and a last one with the result, or with the error.',
        contentType: 'application/x-ndjson',
      },
    },
    async run({ query, body: { server, tool, arguments: args = {} }, signal, caller: asking }, rooms) {
      const { records } = rooms;
      const host = await hostFor(rooms, query);
      const project = shownProject(rooms, query.project)?.folder;
      const caller = { ...asking, ...(project !== undefined && { project }) };
      // What is wrong with the question is told with a status, before anything is streamed.
      host.links.expect(server);
      const mask = (text: string): string => host.mask(text);
      return jsonLines({ signal, mask }, async write => {
        const onProgress = (progress: object): void => write({ progress });
        const ref = { server, tool };
        using connections = rooms.byPerson(host, caller, ref);
        const call = { host, records, caller, ref, args, signal, onProgress, connections };
        write({ result: shown(await callByPerson(call), mask) });
      });
    },
  }),
];

function shown({ success, denied, code, parts, data, error }: ToolResult, mask: (text: string) => string): object {
  const seen = { success, denied: denied ?? false, code, parts, data, error };
  return JSON.parse(mask(JSON.stringify(seen))) as object;
}
