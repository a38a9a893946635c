import type { Resolution } from '@junctor/core';
import { maskTexts } from '@junctor/core/config-read';
import * as z from 'zod/mini';
import { previewOf } from '../../agents/preview.ts';
import { filesAndStored, readPosted } from '../post-config.ts';
import { hostFor, hostForAgent } from '../project-host.ts';
import { resolutionOf } from '../resolution-of.ts';
import { type Route, route } from '../route.ts';
import { AgentMcpConfigBody, Notice } from '../shapes/agent-config.ts';
import { agentId, executorId, projectId } from '../shapes/query.ts';

const texts = z.record(z.string(), z.string());

const ResolvedMcpServer = z.object({
  name: z.string(),
  transport: z.enum(['stdio', 'http', 'streamable_http', 'sse', 'ws']),
  mode: z.enum(['shared', 'per_session']),
  endpoint: z.string().check(z.describe('The URL, or stdio: for a program that is talked to through pipes.')),
  hub_endpoint: z
    .optional(z.string())
    .check(z.describe('The address that the hub uses for sessions of this executor, where it is another one.')),
  env: texts.check(z.describe('Secrets masked; references stay.')),
  headers: texts.check(z.describe('Secrets masked; references stay.')),
});

export const Resolved = z.object({
  agent: z.string(),
  executor: z.string(),
  session: z.nullable(z.string()),
  servers: z.array(ResolvedMcpServer),
  left_out: z.array(z.object({ server: z.string(), because: z.string() })),
  warnings: z.array(Notice),
  errors: z.array(Notice),
});

const query = z.object({
  agent: agentId,
  executor: z.optional(executorId).check(z.describe('Default local.')),
  session: z.optional(z.string()),
  project: projectId,
});

export const RESOLVE: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/resolve',
    summary: 'What an agent gets on an executor: each server with its mode and endpoint, and why others are left out.',
    query,
    answers: { 200: { description: 'The resolution.', schema: Resolved } },
    async run({ query: { agent, executor = 'local', session, project } }, rooms) {
      const host = await hostForAgent(rooms, { agent, project });
      return { body: shown(resolutionOf(host, { agent, executor, session })) };
    },
  }),
  route({
    method: 'post',
    path: '/api/resolve',
    changesNothing: true,
    summary: 'The same for a config that is not stored yet: nothing is changed.',
    query,
    body: AgentMcpConfigBody,
    answers: { 200: { description: 'The resolution.', schema: Resolved } },
    async run({ query: { agent, executor = 'local', session, project }, body }, rooms) {
      const config = readPosted(rooms, agent, body);
      return {
        body: shown(previewOf(config, filesAndStored(rooms, await hostFor(rooms, { project })), { executor, session })),
      };
    },
  }),
];

function shown({ agent, executor, session, list, leftOut, warnings, errors }: Resolution): z.infer<typeof Resolved> {
  return {
    agent: agent ?? '',
    executor,
    session: session ?? null,
    servers: list.map(({ hubEndpoint, ...server }) => ({
      ...server,
      ...(hubEndpoint === undefined ? {} : { hub_endpoint: hubEndpoint }),
      env: maskTexts(server.env),
      headers: maskTexts(server.headers),
    })),
    left_out: leftOut.map(({ id, because }) => ({ server: id, because })),
    warnings: warnings.map(notice => ({ ...notice })),
    errors: errors.map(notice => ({ ...notice })),
  };
}
