import { EXECUTORS as BUILT_IN, policyFor } from '@junctor/core/inside';
import * as z from 'zod/mini';
import { expectAgent } from '../agent-view.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { ExecutorMcpPolicy, FullPolicy } from '../shapes/agent-config.ts';
import { agentId, executorId } from '../shapes/query.ts';

export const ExecutorRow = z.object({
  executor: z.string(),
  policy: FullPolicy,
  stored: z
    .optional(ExecutorMcpPolicy)
    .check(z.describe('What was stored over REST; the rest is default, or from files.')),
});

const Success = z.object({ success: z.literal(true) });

function rowOf({ book }: Rooms, executor: string, agent?: string): z.infer<typeof ExecutorRow> {
  const stored = book.stored.policies.get(executor);
  const policy = policyFor(book.hostOf(agent).loaded.frame, executor, agent);
  return {
    executor,
    policy: { ...policy, env_server_wins: [...policy.env_server_wins] },
    ...(stored ? { stored } : {}),
  };
}

function names({ book }: Rooms): string[] {
  const written = Object.keys(book.common.loaded.frame.executors ?? {});
  return [...new Set<string>([...BUILT_IN, ...written, ...book.stored.policies.keys()])];
}

export const EXECUTORS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/executors',
    summary: 'What each kind of runtime allows: for all agents, or for one.',
    query: z.object({ agent: z.optional(agentId) }),
    answers: { 200: { description: 'The executors.', schema: z.object({ executors: z.array(ExecutorRow) }) } },
    async run({ query }, rooms) {
      const agent = query.agent === undefined ? undefined : expectAgent(rooms, query.agent);
      return { body: { executors: names(rooms).map(executor => rowOf(rooms, executor, agent)) } };
    },
  }),
  route({
    method: 'put',
    path: '/api/executors/{executor}',
    summary: 'Sets the policy of an executor, in the place of what files say about it.',
    params: z.object({ executor: executorId }),
    body: ExecutorMcpPolicy,
    answers: { 200: { description: 'It is stored and in force.', schema: Success } },
    async run({ params, body }, rooms) {
      await rooms.agentRows.replacePolicy(params, JSON.stringify(body));
      await rooms.book.refresh();
      return { body: { success: true } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/executors/{executor}',
    summary: 'Forgets the stored policy of an executor: what files say counts again.',
    params: z.object({ executor: executorId }),
    answers: { 200: { description: 'None is stored now.', schema: Success } },
    async run({ params }, rooms) {
      await rooms.agentRows.replacePolicy(params, undefined);
      await rooms.book.refresh();
      return { body: { success: true } };
    },
  }),
];
