import { examineServers } from '@junctor/core';
import * as z from 'zod/mini';
import { jsonLines } from '../json-lines.ts';
import { hostFor, optionsFor } from '../project-host.ts';
import { type Route, route } from '../route.ts';
import { projectId, serverId } from '../shapes/query.ts';
import { expectServer } from './servers.ts';

/** One thing the doctor saw. */
export const CheckStep = z.object({
  step: z.string(),
  outcome: z.enum(['ok', 'warn', 'no']),
  detail: z.string(),
  lines: z.optional(z.array(z.string())),
  ms: z.optional(z.number()),
  fix: z.optional(z.string()),
});

export const CHECK: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/servers/{id}/check',
    changesNothing: true,
    summary: 'Looks at a server from its config to its end, as junctor doctor does, beside whatever runs of it.',
    params: z.object({ id: serverId }),
    query: z.object({ project: projectId }),
    answers: {
      200: {
        description: 'A line of JSON for each step as it is done, and a last one with the report, or with the error.',
        contentType: 'application/x-ndjson',
      },
    },
    async run({ params: { id }, query, signal }, rooms) {
      const host = await hostFor(rooms, query);
      expectServer(host, id);
      const hostOptions = optionsFor(rooms, query.project);
      const mask = (text: string): string => host.mask(text);
      return jsonLines({ signal, mask }, async write => {
        const onFinding = (_server: string, finding: object): void => write({ step: shown(finding) });
        const { servers } = await examineServers({ ...hostOptions, server: id, signal, onFinding });
        const [report] = servers;
        if (report) write({ report: { ok: report.ok, fix: report.fix, steps: report.steps.map(shown) } });
      });
    },
  }),
];

/** What the facts say stands in the words already. */
function shown(finding: object): object {
  const { facts: _facts, person: _person, ...words } = finding as Record<string, unknown>;
  return words;
}
