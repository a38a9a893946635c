import { describePlace } from '@junctor/core/config-read';
import { EXECUTORS as BUILT_IN } from '@junctor/core/internal';
import * as z from 'zod/mini';
import { expectAgent } from '../agent-view.ts';
import { isKnown } from '../etag.ts';
import { notFound } from '../failure.ts';
import { maskPolicy, policyAt, policyTag, shownPolicy, storePolicy } from '../policies.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { ExecutorMcpPolicy, FullPolicy } from '../shapes/agent-config.ts';
import { agentId, executorId } from '../shapes/query.ts';

export const ExecutorRow = z.object({
  executor: z.string(),
  policy: FullPolicy.check(z.describe('What holds, secrets masked.')),
  runs: z
    .nullable(z.string())
    .check(z.describe('Where programs of servers start. null: no settings say where, so none starts.')),
  stored: z
    .optional(ExecutorMcpPolicy)
    .check(z.describe('What was stored over REST; the rest is default, or from files.')),
  etag: z.string().check(z.describe('Names this version: a change that sends it as If-Match overwrites no other.')),
});

const Success = z.object({ success: z.literal(true) });

function rowOf(rooms: Rooms, executor: string, agent?: string): z.infer<typeof ExecutorRow> {
  const stored = rooms.book.stored.policies.get(executor);
  const place = { executor, agent };
  return {
    executor,
    policy: shownPolicy(rooms, place),
    runs: describePlace(executor, policyAt(rooms, place)) ?? null,
    ...(stored ? { stored: maskPolicy(stored) } : {}),
    etag: policyTag(rooms, place),
  };
}

/** Built in, written in files, or stored. */
export function executorNames({ book }: Rooms): string[] {
  const written = Object.keys(book.common.loaded.frame.executors ?? {});
  return [...new Set<string>([...BUILT_IN, ...written, ...book.stored.policies.keys()])];
}

/** Also one that is named for agents alone. */
export function expectExecutor(rooms: Rooms, executor: string): string {
  const { common, stored } = rooms.book;
  const ofFiles = Object.values(common.loaded.frame.agents ?? {}).flatMap(agent => Object.keys(agent.executors ?? {}));
  const ofStored = [...stored.overrides.values()].flatMap(policies => [...policies.keys()]);
  const known = new Set([...executorNames(rooms), ...ofFiles, ...ofStored]);
  if (known.has(executor)) return executor;
  throw notFound(`There is no executor '${executor}'.`, `one of: ${[...known].join(', ')}; or PUT a policy for it`);
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
      return { body: { executors: executorNames(rooms).map(executor => rowOf(rooms, executor, agent)) } };
    },
  }),
  route({
    method: 'get',
    path: '/api/executors/{executor}',
    summary: 'What one kind of runtime allows. Its ETag names this version.',
    params: z.object({ executor: executorId }),
    query: z.object({ agent: z.optional(agentId) }),
    answers: {
      200: { description: 'The executor.', schema: ExecutorRow },
      304: { description: 'It is what If-None-Match names.' },
    },
    async run({ params, query, headers }, rooms) {
      const executor = expectExecutor(rooms, params.executor);
      const agent = query.agent === undefined ? undefined : expectAgent(rooms, query.agent);
      const row = rowOf(rooms, executor, agent);
      const known = isKnown(headers, row.etag);
      return known ? { status: 304, headers: { etag: row.etag } } : { body: row, headers: { etag: row.etag } };
    },
  }),
  route({
    method: 'put',
    path: '/api/executors/{executor}',
    act: 'executor.set',
    summary: 'Sets the policy of an executor, in the place of what files say about it.',
    params: z.object({ executor: executorId }),
    body: ExecutorMcpPolicy,
    answers: { 200: { description: 'It is stored and in force.', schema: Success } },
    async run({ params, body, headers }, rooms) {
      await storePolicy(rooms, params, body, headers);
      return { body: { success: true }, headers: { etag: policyTag(rooms, params) } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/executors/{executor}',
    act: 'executor.remove',
    summary: 'Forgets the stored policy of an executor: what files say counts again.',
    params: z.object({ executor: executorId }),
    answers: { 200: { description: 'None is stored now.', schema: Success } },
    async run({ params, headers }, rooms) {
      expectExecutor(rooms, params.executor);
      await storePolicy(rooms, params, undefined, headers);
      return { body: { success: true }, headers: { etag: policyTag(rooms, params) } };
    },
  }),
];
