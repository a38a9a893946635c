import * as z from 'zod/mini';
import { expectAgent } from '../agent-view.ts';
import { hostFor, ShownProject, shownProject } from '../project-host.ts';
import { type Route, route } from '../route.ts';
import { agentId, projectId, serverId } from '../shapes/query.ts';

/** A list waits this long for servers that are still starting. */
export const PATIENCE_MS = 2000;

export const Tool = z.looseObject({
  name: z.string().check(z.describe('The public name.')),
  server: z.string(),
  tool: z.string().check(z.describe("The server's own name for it.")),
  description: z.optional(z.string()),
  inputSchema: z.looseObject({}),
});

export const LeftOut = z.object({ server: z.string(), name: z.string(), because: z.string() });

export const Tools = z.object({
  project: ShownProject,
  number: z.int().check(z.describe('Of the snapshot: it rises with each change.')),
  tools: z.array(Tool),
  stale: z
    .record(z.string(), z.string())
    .check(z.describe('Servers that have not confirmed their tools yet, and since when.')),
  skipped: z.array(LeftOut).check(z.describe('Tools nobody can use, and why.')),
  hidden: z.array(LeftOut).check(z.describe('Tools that a lockfile hides, and why.')),
});

export const TOOLS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/tools',
    summary: 'The tools on offer: all, or those of one agent, one project, one server, or with certain words.',
    query: z.object({
      agent: z.optional(agentId),
      project: projectId,
      server: z.optional(serverId),
      text: z.optional(z.string()).check(z.describe('Only tools with these words in name or description.')),
    }),
    answers: { 200: { description: 'The tools, by name.', schema: Tools } },
    async run({ query }, rooms) {
      const { book } = rooms;
      const agent = query.agent === undefined ? undefined : expectAgent(rooms, query.agent);
      const host = await hostFor(rooms, { agent, project: query.project });
      const roster = agent === undefined ? undefined : await book.rosterFor(agent, host);
      const wanted = (server: string): boolean =>
        (query.server === undefined || server === query.server) && (roster?.has(server) ?? true);
      const words = (query.text ?? '').toLowerCase().split(/\s+/);
      const snapshot = await host.snapshot({ patienceMs: PATIENCE_MS, wake: false });
      const tools = snapshot.entries
        .filter(({ server, name, definition }) => {
          const about = `${name} ${definition.description ?? ''}`.toLowerCase();
          return wanted(server) && words.every(word => about.includes(word));
        })
        .map(({ name, server, tool, definition }) => ({ ...definition, name, server, tool }));
      const leftOut = (list: readonly { server: string; name: string; because: string }[]) =>
        list.filter(({ server }) => wanted(server)).map(({ server, name, because }) => ({ server, name, because }));
      const stale = [...snapshot.stale].flatMap(([id, since]) => (wanted(id) ? [[id, since.toISOString()]] : []));
      return {
        body: {
          project: shownProject(rooms, query.project),
          number: snapshot.number,
          tools,
          stale: Object.fromEntries(stale),
          skipped: leftOut(snapshot.skipped),
          hidden: leftOut(snapshot.hidden),
        },
      };
    },
  }),
];
