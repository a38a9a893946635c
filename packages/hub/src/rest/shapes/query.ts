/** Words of queries and paths, and how REST writes moments. */
import { agentId as agentIdOf } from '@junctor/core/light';
import * as z from 'zod/mini';
import { AGENT_ID } from '../../agents/agent-config.ts';

/** However it is spelled: `Claude_Code` is `claude-code`. */
export const agentId = z
  .string()
  .check(z.overwrite(agentIdOf), z.regex(AGENT_ID, 'an agent id is 1 to 64 letters, digits or hyphens'));

export const serverId = z
  .string()
  .check(z.regex(/^[a-zA-Z0-9_-]{1,64}$/, 'a server id is 1 to 64 letters, digits, _ or -'));

export const projectId = z
  .optional(z.string().check(z.regex(/^[0-9a-f]{32}$/, 'the id of a project, as GET /api/projects lists it')))
  .check(z.describe('Of this project; default: what the hub itself serves.'));

/** For what is one list for all projects. */
export const projectFilter = projectId.check(z.describe('Only what counts in this project; default: in all.'));

export const projectFolder = z.optional(z.string()).check(z.describe('The folder of a project.'));

export const executorId = z
  .string()
  .check(z.regex(/^[a-zA-Z0-9_-]{1,64}$/, 'the name of an executor is 1 to 64 letters, digits, _ or -'));

export const limit = z.optional(
  z.coerce
    .number('a whole number')
    .check(z.int('a whole number'), z.minimum(1, 'at least 1'), z.maximum(1000, 'at most 1000')),
);

export const DEFAULT_LIMIT = 100;

/** A moment, as an ISO date. */
export const moment = z.optional(
  z.string().check(z.refine(text => !Number.isNaN(Date.parse(text)), 'a date, such as 2026-11-16T09:00:00Z')),
);

export const yesOrNo = z.optional(z.enum(['true', 'false'], 'true or false'));

export function asMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

export function asSwitch(word: 'true' | 'false' | undefined): boolean | undefined {
  return word === undefined ? undefined : word === 'true';
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}

/** Of several hubs on one database; without it the answer covers all of them. */
export const onlyHere = z
  .optional(z.enum(['here'], 'here'))
  .check(z.describe('here: only of the hub that answers, where several stand on one database.'));

/** A hub that did not answer in time: what only it knows is missing. */
export const silentHubs = z
  .optional(z.array(z.object({ id: z.string(), url: z.string(), why: z.string() })))
  .check(z.describe('Hubs on the same database that did not answer: what only they know is missing.'));

export const whichHub = z.optional(z.string()).check(z.describe('Which of several hubs on one database it is at.'));
