/** What will work where: agents × executors × servers, before anybody starts anything. */
import type { Host } from '@junctor/core';
import { agentNamed } from '@junctor/core/internal';
import * as z from 'zod/mini';
import { expectAgent } from '../agent-view.ts';
import { hostFor } from '../project-host.ts';
import { resolutionOf } from '../resolution-of.ts';
import { type Route, route } from '../route.ts';
import { agentId, projectId } from '../shapes/query.ts';
import { executorNames } from './executors.ts';

export const Feasibility = z.object({
  executors: z.array(z.string()),
  agents: z.array(
    z.object({
      agent: z.string(),
      on: z
        .array(z.object({ works: z.int(), of: z.int() }))
        .check(z.describe('How many of its servers will work, on each executor in turn.')),
    }),
  ),
});

export const AgentFeasibility = z.object({
  agent: z.string(),
  executors: z.array(z.string()),
  servers: z.array(
    z.object({
      server: z.string(),
      on: z
        .array(
          z.object({
            mode: z.nullable(z.enum(['shared', 'per_session'])).check(z.describe('null: it will not work there.')),
            because: z.nullable(z.string()).check(z.describe('Why it will not work.')),
          }),
        )
        .check(z.describe('On each executor in turn.')),
    }),
  ),
});

export const FEASIBILITY: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/feasibility',
    summary: 'How many servers will work for each agent on each executor.',
    query: z.object({ project: projectId }),
    answers: { 200: { description: 'The matrix.', schema: Feasibility } },
    async run({ query: { project } }, rooms) {
      const executors = executorNames(rooms);
      const counted = counting(executors);
      const rows = rooms.book.ids().map(async agent => {
        const host = await hostFor(rooms, { agent, project });
        return { agent, on: counted(host, agent) };
      });
      return { body: { executors, agents: await Promise.all(rows) } };
    },
  }),
  route({
    method: 'get',
    path: '/api/feasibility/{agent}',
    summary: 'Which servers will work for an agent on each executor, and why not the others.',
    params: z.object({ agent: agentId }),
    query: z.object({ project: projectId }),
    answers: { 200: { description: 'The matrix of this agent.', schema: AgentFeasibility } },
    async run({ params, query: { project } }, rooms) {
      const agent = expectAgent(rooms, params.agent);
      const host = await hostFor(rooms, { agent, project });
      const executors = executorNames(rooms);
      const columns = executors.map(executor => column(host, agent, executor));
      const servers = [...host.loaded.servers.keys()].filter(meantFor(host, agent)).sort();
      const on = (server: string) => columns.map(cells => cells.get(server) ?? { mode: null, because: null });
      return { body: { agent, executors, servers: servers.map(server => ({ server, on: on(server) })) } };
    },
  }),
];

type Cell = z.infer<typeof AgentFeasibility>['servers'][number]['on'][number];

function column(host: Host, agent: string, executor: string): Map<string, Cell> {
  const { list, leftOut } = resolutionOf(host, { agent, executor, starts: true });
  return new Map<string, Cell>([
    ...list.map(({ name, mode }) => [name, { mode, because: null }] as const),
    ...leftOut.map(({ id, because }) => [id, { mode: null, because }] as const),
  ]);
}

/** Which servers the config gives to this agent, whether they can run or not: one with a list of its own has no others. */
function meantFor({ loaded }: Host, agent: string): (id: string) => boolean {
  const listed = agentNamed(loaded.frame, agent)?.servers;
  return id => {
    const only = loaded.servers.get(id)?.agent;
    return (listed === undefined || listed.includes(id)) && (only === undefined || only === agent);
  };
}

/** Agents that no config speaks of are all alike: with thousands of servers they are counted once. */
function counting(executors: readonly string[]) {
  const known = new Map<object, z.infer<typeof Feasibility>['agents'][number]['on']>();
  return (host: Host, agent: string) => {
    const alike = agentNamed(host.loaded.frame, agent) ?? host;
    const isMeant = meantFor(host, agent);
    const counts =
      known.get(alike) ??
      executors.map(executor => {
        const { list, leftOut } = resolutionOf(host, { agent, executor, starts: true });
        const others = leftOut.filter(({ id }) => isMeant(id));
        return { works: list.length, of: list.length + others.length };
      });
    known.set(alike, counts);
    return counts;
  };
}
