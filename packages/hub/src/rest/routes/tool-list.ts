import { definitionTokens, toolFingerprint } from '@junctor/core/internal';
import * as z from 'zod/mini';
import { expectAgent } from '../agent-view.ts';
import { notFound } from '../failure.ts';
import { hostFor } from '../project-host.ts';
import { type Route, route } from '../route.ts';
import { agentId, DEFAULT_LIMIT, limit, projectId, serverId } from '../shapes/query.ts';
import { EFFECTS } from '../tool-shelf.ts';
import { LeftOut, PATIENCE_MS, Tool } from './tools.ts';

export const ShortTool = z.object({
  name: z.string(),
  server: z.string(),
  tool: z.string(),
  description: z.string().check(z.describe('Its beginning.')),
  tokens: z.int().check(z.describe('What its definition costs a model that is shown it.')),
  effect: z.enum(EFFECTS).check(z.describe('What its server says that it does. Nobody checks it.')),
});

export const ToolList = z.object({
  tools: z.array(ShortTool).check(z.describe('By server; with a query the best, the best first.')),
  hidden: z.array(LeftOut).check(z.describe('Tools that a lockfile hides, and why.')),
});

export const ToolDetail = z.extend(Tool, {
  tokens: z.int(),
  fingerprint: z.nullable(z.string()).check(z.describe('Of all that a model or a person reads of it.')),
  trusted: z.boolean().check(z.describe('Whether a person trusts its server.')),
});

export const TOOL_LIST: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/tools/search',
    summary: 'Tools in short: all of them, or with a query those that a model would find with it, ranked as for it.',
    query: z.object({
      agent: z.optional(agentId),
      project: projectId,
      server: z.optional(serverId),
      query: z.optional(z.string()),
      limit,
    }),
    answers: { 200: { description: 'The tools.', schema: ToolList } },
    async run({ query: { agent, project, server, query = '', limit: most = DEFAULT_LIMIT } }, rooms) {
      const { book, shelf } = rooms;
      const known = agent === undefined ? undefined : expectAgent(rooms, agent);
      const host = await hostFor(rooms, { agent: known, project });
      const roster = known === undefined ? undefined : await book.rosterFor(known, host);
      const wanted = (one: { readonly server: string }): boolean =>
        (server === undefined || one.server === server) && (roster?.has(one.server) ?? true);
      const snapshot = await host.snapshot({ patienceMs: PATIENCE_MS, wake: false });
      const found = query.trim() === '' ? snapshot.entries : await shelf.find(host, snapshot.entries, query, most);
      const tools = found.filter(wanted).map(entry => shelf.short(entry));
      const hidden = snapshot.hidden.filter(wanted);
      return {
        body: { tools, hidden: hidden.map(({ server: of, name, because }) => ({ server: of, name, because })) },
      };
    },
  }),
  route({
    method: 'get',
    path: '/api/tools/one',
    summary: 'One tool in full.',
    query: z.object({ name: z.string().check(z.describe('The public name.')), project: projectId }),
    answers: { 200: { description: 'The tool.', schema: ToolDetail } },
    async run({ query: { name, project } }, rooms) {
      const host = await hostFor(rooms, { project });
      const entry = (await host.snapshot({ patienceMs: PATIENCE_MS, wake: false })).byName.get(name);
      if (!entry) throw notFound(`There is no tool '${name}'.`, 'GET /api/tools/search lists them');
      const { server, tool, definition } = entry;
      return {
        body: {
          ...definition,
          name,
          server,
          tool,
          tokens: definitionTokens([definition]),
          fingerprint: fingerprintOf(definition),
          trusted: host.server(server)?.trusted ?? false,
        },
      };
    },
  }),
];

function fingerprintOf(definition: Parameters<typeof toolFingerprint>[0]): string | null {
  try {
    return toolFingerprint(definition);
  } catch {
    return null; // nested so deeply that it cannot be compared
  }
}
