import * as z from 'zod/mini';
import { inProject } from '../../agents/projects.ts';
import { configOf, expectAgent } from '../agent-view.ts';
import { maskPolicy, policyTag, storePolicy } from '../policies.ts';
import { hostFor } from '../project-host.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { AgentMcpConfig, ExecutorMcpPolicy } from '../shapes/agent-config.ts';
import { agentId, executorId, projectId } from '../shapes/query.ts';
import { expectExecutor } from './executors.ts';
import { Surface, surfaceOf } from './surface.ts';

export const AgentRow = z.object({
  agent_id: z.string(),
  enabled: z.boolean(),
  stored: z.boolean().check(z.describe('Whether a config was posted for it.')),
  servers: z.array(z.string()).check(z.describe('The servers it gets now.')),
  executors: z
    .record(z.string(), ExecutorMcpPolicy)
    .check(z.describe('Policies that hold for this agent on one executor.')),
  surface: Surface.check(z.describe('Whether it lists its tools, searches them, or as many as there are decide.')),
  door: z.string().check(z.describe('Where it connects.')),
});

const Success = z.object({ success: z.literal(true) });

async function rowOf(rooms: Rooms, agent: string, project: string | undefined): Promise<z.infer<typeof AgentRow>> {
  const { book } = rooms;
  const host = await hostFor(rooms, { agent, project });
  return {
    agent_id: agent,
    enabled: configOf(rooms, agent, host).enabled,
    stored: book.stored.configs.has(agent),
    servers: [...(await book.rosterFor(agent, host))].sort(),
    executors: Object.fromEntries(
      [...(book.stored.overrides.get(agent) ?? [])].map(([executor, policy]) => [executor, maskPolicy(policy)]),
    ),
    surface: surfaceOf(host.loaded.frame, agent),
    door: inProject(`/mcp/${agent}`, project),
  };
}

export const AGENTS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/agents',
    summary: 'Every agent the hub has a door for, and what it gets.',
    query: z.object({ project: projectId }),
    answers: { 200: { description: 'The agents.', schema: z.object({ agents: z.array(AgentRow) }) } },
    async run({ query: { project } }, rooms) {
      return { body: { agents: await Promise.all(rooms.book.ids().map(agent => rowOf(rooms, agent, project))) } };
    },
  }),
  route({
    method: 'get',
    path: '/api/agents/{agent}',
    summary: 'One agent, with its config.',
    params: z.object({ agent: agentId }),
    query: z.object({ project: projectId }),
    answers: { 200: { description: 'The agent.', schema: z.extend(AgentRow, { config: AgentMcpConfig }) } },
    async run({ params, query: { project } }, rooms) {
      const agent = expectAgent(rooms, params.agent);
      const config = configOf(rooms, agent, await hostFor(rooms, { project }));
      return { body: { ...(await rowOf(rooms, agent, project)), config } };
    },
  }),
  route({
    method: 'put',
    path: '/api/agents/{agent}/executors/{executor}',
    act: 'agent.policy.set',
    summary: 'Sets the policy for one agent on one executor, above the one for all agents.',
    params: z.object({ agent: agentId, executor: executorId }),
    body: ExecutorMcpPolicy,
    answers: { 200: { description: 'It is stored and in force.', schema: Success } },
    async run({ params, body, headers }, rooms) {
      const { agent, executor } = params;
      await storePolicy(rooms, { agent: expectAgent(rooms, agent), executor }, body, headers);
      return { body: { success: true }, headers: { etag: policyTag(rooms, params) } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/agents/{agent}/executors/{executor}',
    act: 'agent.policy.remove',
    summary: 'Forgets the policy for one agent on one executor.',
    params: z.object({ agent: agentId, executor: executorId }),
    answers: { 200: { description: 'None is stored now.', schema: Success } },
    async run({ params, headers }, rooms) {
      const { agent, executor } = params;
      expectExecutor(rooms, executor);
      await storePolicy(rooms, { agent: expectAgent(rooms, agent), executor }, undefined, headers);
      return { body: { success: true }, headers: { etag: policyTag(rooms, params) } };
    },
  }),
];
