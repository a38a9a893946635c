import type { ToolResult } from '@junctor/core';
import * as z from 'zod/mini';
import { callByPerson } from '../../calls/person-call.ts';
import { failureAnswer } from '../failure.ts';
import { type Route, route } from '../route.ts';
import { serverId } from '../shapes/query.ts';

export const RUN_CALL: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/calls',
    summary: 'Calls a tool on behalf of the person who asks: what the rules deny is denied, and it is written down.',
    body: z.strictObject({
      server: serverId,
      tool: z.string().check(z.describe("The server's own name for it.")),
      arguments: z.optional(z.looseObject({})),
    }),
    answers: {
      200: {
        description: 'A line of JSON for each progress, and a last one with the result, or with the error.',
        contentType: 'application/x-ndjson',
      },
    },
    async run({ body: { server, tool, arguments: args = {} }, signal }, { book, records }) {
      const host = book.common;
      // What is wrong with the question is told with a status, before anything is streamed.
      host.links.expect(server);
      const encoder = new TextEncoder();
      const stream = new ReadableStream<Uint8Array>({
        async start(controller) {
          const write = (line: object): void => {
            if (!signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
          };
          const onProgress = (progress: object): void => write({ progress });
          try {
            const result = await callByPerson({ host, records, ref: { server, tool }, args, signal, onProgress });
            write({ result: shown(result, text => host.mask(text)) });
          } catch (error) {
            write(failureAnswer(error, text => host.mask(text)).body);
          }
          if (!signal.aborted) controller.close();
        },
      });
      return new Response(stream, {
        headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
      });
    },
  }),
];

function shown({ success, denied, parts, data, error }: ToolResult, mask: (text: string) => string): object {
  const seen = { success, denied: denied ?? false, parts, data, error };
  return JSON.parse(mask(JSON.stringify(seen))) as object;
}
