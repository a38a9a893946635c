import { agentId as agentIdOf } from '@junctor/core/light';
import * as z from 'zod/mini';
import { configOf, expectAgent } from '../agent-view.ts';
import { checkTag, isKnown, tagOf } from '../etag.ts';
import { invalid } from '../failure.ts';
import { postConfig } from '../post-config.ts';
import { type Route, route } from '../route.ts';
import { isKeptFor, keepSecrets, secretsNamedIn } from '../secrets.ts';
import { AgentMcpConfig, AgentMcpConfigBody, Notice } from '../shapes/agent-config.ts';
import { agentId, executorId } from '../shapes/query.ts';

const Posted = z.object({
  success: z.literal(true),
  agent_id: z.string(),
  warnings: z.array(Notice).check(z.describe('What a person should know, though it is stored.')),
  secrets: z.array(z.string()).check(z.describe('The names under which literal secrets were stored.')),
});

export const MCP_CONFIG: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/mcp-config',
    summary: 'The config of one agent: what was posted, else what it gets from the config files.',
    query: z.object({ agent: agentId }),
    answers: {
      200: { description: 'The config. Its ETag names this content.', schema: AgentMcpConfig },
      304: { description: 'It is what If-None-Match names.' },
    },
    async run({ query, headers }, rooms) {
      const config = configOf(rooms, expectAgent(rooms, query.agent));
      const tag = tagOf(config);
      if (isKnown(headers, tag)) return { status: 304, headers: { etag: tag } };
      return { body: config, headers: { etag: tag } };
    },
  }),
  route({
    method: 'post',
    path: '/api/mcp-config',
    act: 'agent.config.set',
    summary: 'Replaces the servers of one agent, and of no other. It counts at once.',
    query: z.object({ agent: agentId, executor: z.optional(executorId) }),
    body: AgentMcpConfigBody,
    answers: { 200: { description: 'It is stored and in force.', schema: Posted } },
    async run({ query, body, headers }, rooms) {
      const { agent, executor = 'local' } = query;
      if (body.agent_id !== undefined && agentIdOf(body.agent_id) !== agent) {
        const message = `It is for '${body.agent_id}', and the query says '${agent}'.`;
        throw invalid('The config is for another agent', [{ path: 'agent_id', message, fix: 'Leave it out.' }]);
      }
      const { tag, warnings, secrets } = await postConfig(rooms, agent, body, { headers, executor });
      return { body: { success: true, agent_id: agent, warnings, secrets }, headers: { etag: tag } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/mcp-config',
    act: 'agent.config.remove',
    summary: 'Forgets what was posted: the agent gets what the config files say again.',
    query: z.object({ agent: agentId }),
    answers: { 200: { description: 'Nothing is stored for it now.', schema: z.object({ success: z.literal(true) }) } },
    async run({ query, headers }, rooms) {
      const { agent } = query;
      const before = configOf(rooms, expectAgent(rooms, agent));
      const place = `agent ${agent}`;
      await rooms.agentRows.replaceConfig(agent, undefined, present => {
        const now: unknown = present === undefined ? before : JSON.parse(present);
        checkTag(headers, tagOf(now), { exists: present !== undefined });
      });
      await rooms.book.refresh(agent);
      await keepSecrets(rooms, {
        secrets: [],
        unused: [...secretsNamedIn(before)].filter(name => isKeptFor(place, name)),
      });
      return { body: { success: true } };
    },
  }),
];
