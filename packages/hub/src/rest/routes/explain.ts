import type { Host } from '@junctor/core';
import { explainServer } from '@junctor/core/config-read';
import { explainTool, liveFacts, preflight } from '@junctor/core/internal';
import * as z from 'zod/mini';
import { expectAgent } from '../agent-view.ts';
import { notFound } from '../failure.ts';
import { hostFor } from '../project-host.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { agentId, executorId, projectId, serverId } from '../shapes/query.ts';

/** An answer waits this long for servers that are still starting. */
const PATIENCE_MS = 2000;

const place = z.nullable(z.object({ line: z.int(), column: z.int() }));

const Origin = z.nullable(
  z.object({
    layer: z.string(),
    source: z.string().check(z.describe('The file, or what else it was read from.')),
    place,
  }),
);

const effect = z.enum(['allow', 'ask', 'deny']);
const offer = z.enum(['offered', 'deferred', 'hidden', 'missing', 'unknown']);

export const ToolExplanation = z.object({
  server: z.string(),
  tool: z.string(),
  agent: z.nullable(z.string()),
  executor: z.string(),
  name: z.nullable(z.string()).check(z.describe('The name its reader sees.')),
  offer: z.object({ state: offer, because: z.string(), at: Origin, hint: z.string() }),
  call: z.nullable(
    z.object({
      effect,
      because: z.string(),
      rule: z.nullable(z.string()),
      at: Origin,
      unless: z
        .array(z.object({ effect, rule: z.string(), at: Origin }))
        .check(z.describe('Rules that hold for certain arguments only, and come first.')),
    }),
  ),
  listed_at: z.nullable(z.string()).check(z.describe('Where the server was not asked again since.')),
});

export const ServerExplanation = z.object({
  id: z.string(),
  layer: z.string(),
  source: z.string(),
  dialect: z.string(),
  enabled: z.boolean(),
  fields: z.array(
    z.object({
      key: z.string(),
      value: z.unknown().check(z.describe('Masked.')),
      layer: z.string().check(z.describe('default: nobody wrote it.')),
      source: z.nullable(z.string()),
      place,
    }),
  ),
  hides: z.array(z.looseObject({ layer: z.string(), source: z.string() })),
});

export const Preflight = z.object({
  agent: z.nullable(z.string()),
  executor: z.string(),
  ok: z.boolean().check(z.describe('All of them will be there.')),
  tools: z.array(
    z.object({
      asked: z.string(),
      there: z.boolean(),
      server: z.nullable(z.string()),
      tool: z.nullable(z.string()),
      name: z.nullable(z.string()),
      offer,
      call: z.nullable(effect),
      because: z.string(),
      at: Origin,
      hint: z.string(),
      waits_for_person: z.boolean(),
    }),
  ),
  missing: z.array(z.string()),
});

const audience = {
  agent: z.optional(agentId),
  executor: z.optional(executorId).check(z.describe('Default local.')),
  project: projectId,
};

export const EXPLAIN: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/explain',
    summary:
      'Which layer set each field of a server; or why a tool is offered, deferred or hidden, and what becomes of a call.',
    query: z.object({ server: serverId, tool: z.optional(z.string()), ...audience }),
    answers: { 200: { description: 'The reasons.', schema: z.union([ToolExplanation, ServerExplanation]) } },
    async run({ query: { server, tool, project, ...asked } }, rooms) {
      const host = await hostFor(rooms, { agent: known(rooms, asked.agent), project });
      const loaded = host.loaded.servers.get(server);
      if (!loaded)
        throw notFound(`There is no server '${server}'.`, `one of: ${[...host.loaded.servers.keys()].join(', ')}`);
      if (tool === undefined) return { body: explainServer(loaded, host.loaded.frame) };
      const facts = await liveFacts(host, { ...asked, known: true, patienceMs: PATIENCE_MS });
      return { body: masked(explainTool({ server, tool }, facts), host) };
    },
  }),
  route({
    method: 'get',
    path: '/api/preflight',
    summary: 'Whether an agent on an executor will have certain tools, and what is in the way of those it lacks.',
    query: z.object({
      tools: z.string().check(z.describe('SERVER/TOOL, or the names the agent sees, with commas between.')),
      ...audience,
    }),
    answers: { 200: { description: 'The answer.', schema: Preflight } },
    async run({ query: { tools, project, ...asked } }, rooms) {
      const host = await hostFor(rooms, { agent: known(rooms, asked.agent), project });
      const facts = await liveFacts(host, { ...asked, known: true, patienceMs: PATIENCE_MS });
      const names = tools.split(',').filter(name => name !== '');
      return { body: masked(preflight(names, facts), host) };
    },
  }),
];

function known(rooms: Rooms, agent: string | undefined): string | undefined {
  return agent === undefined ? undefined : expectAgent(rooms, agent);
}

/** Why a server failed is told in its own words. */
function masked(value: object, host: Host): object {
  return JSON.parse(JSON.stringify(value, (_key, one) => (typeof one === 'string' ? host.mask(one) : one))) as object;
}
