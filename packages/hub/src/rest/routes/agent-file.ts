/** The agent's own file: what Junctor wrote there, what became of it, and the way in and out. */
import { isJunctorError } from '@junctor/core';
import * as z from 'zod/mini';
import { AgentFile, type AgentFileOptions, connectFor } from '../../agents/agent-file.ts';
import { expectAgent } from '../agent-view.ts';
import { checkTag, tagOf } from '../etag.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { agentId } from '../shapes/query.ts';

const diff = z.string().check(z.describe('Lines that go and come, secrets masked; empty: nothing would change.'));

export const AgentFileState = z.object({
  agent: z.string(),
  title: z.string(),
  file: z
    .nullable(z.string())
    .check(z.describe("On the hub's machine; null: Junctor cannot write a file of this agent.")),
  because: z.nullable(z.string()).check(z.describe('Why there is no file.')),
  written: z.array(z.string()).check(z.describe('Ids of what Junctor wrote there.')),
  drift: z
    .array(z.object({ id: z.string(), message: z.string(), exposed: z.boolean() }))
    .check(z.describe('What somebody else changed in it. exposed: a token may stand in the file.')),
  previews: z.object({ write: diff, undo: diff, remove: diff }),
  token_variable: z.nullable(z.string()).check(z.describe("The variable that has to hold the agent's token.")),
  connect: z
    .array(z.string())
    .check(z.describe("For a client on the hub's machine that starts programs: the program, then its arguments.")),
});

const Changed = z.object({
  success: z.literal(true),
  file: z.string(),
  diff: z.string().check(z.describe('What was changed, secrets masked.')),
  stayed: z.array(z.string()).check(z.describe('What somebody else had changed, and therefore stays.')),
  backup: z.nullable(z.string()).check(z.describe('Where the file as it was is kept.')),
});

const params = z.object({ agent: agentId });

function fileOf(rooms: Rooms, agent: string): Promise<AgentFile> {
  return AgentFile.of(expectAgent(rooms, agent), optionsOf(rooms));
}

function optionsOf({ hostOptions, dataDirectory, about }: Rooms): AgentFileOptions {
  return { surroundings: hostOptions.surroundings, dataDirectory, program: about.program };
}

export const AGENT_FILE: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/agents/{agent}/file',
    summary:
      "What Junctor wrote into an agent's own file, what became of it, and what a write, undo or removal would change.",
    params,
    answers: { 200: { description: 'The file. Its ETag names its content.', schema: AgentFileState } },
    async run({ params: { agent } }, rooms) {
      const found = await fileOf(rooms, agent).catch(notWritable);
      const { command, args } = connectFor(agent, optionsOf(rooms));
      const connect = [command, ...args];
      if (typeof found === 'string') return { body: { ...noFile(agent, found), connect } };
      const { tokenVariable, content, written, drift, ...state } = await found.state();
      const body = { agent, ...state, because: null, written, drift, token_variable: tokenVariable ?? null, connect };
      return { body, headers: { etag: tagOf(content) } };
    },
  }),
  route({
    method: 'post',
    path: '/api/agents/{agent}/file',
    act: 'agent.file',
    summary: 'Leads an agent to this hub in its own file, undoes the last write, or takes out what Junctor wrote.',
    params,
    body: z.strictObject({ action: z.enum(['write', 'undo', 'remove']) }),
    answers: { 200: { description: 'It is done. The file as it was is kept.', schema: Changed } },
    async run({ params: { agent }, body, headers }, rooms) {
      const found = await fileOf(rooms, agent);
      const { content, file } = await found.state();
      checkTag(headers, tagOf(content), { exists: true });
      const { diff, stayed, backup } = await found.change(body.action);
      return { body: { success: true, file, diff, stayed: [...stayed], backup: backup ?? null } };
    },
  }),
];

function notWritable(error: unknown): string {
  if (isJunctorError(error, 'usage')) return error.message;
  throw error;
}

function noFile(agent: string, because: string): Omit<z.infer<typeof AgentFileState>, 'connect'> {
  const previews = { write: '', undo: '', remove: '' };
  return { agent, title: agent, file: null, because, written: [], drift: [], previews, token_variable: null };
}
