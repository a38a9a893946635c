import { authStatus, signOut } from '@junctor/core';
import * as z from 'zod/mini';
import { notFound } from '../failure.ts';
import { hostForAgent } from '../project-host.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { agentId, isoOrNull, projectId, serverId } from '../shapes/query.ts';

export const SignInPage = z.object({
  url: z.nullable(z.string()).check(z.describe('The page to open; null: no person is needed, and it is done.')),
});

const SignedIn = z.object({
  server: z.string(),
  scope: z.nullable(z.string()),
  expires: z.nullable(z.string()),
});

/** As `junctor auth status --json` has it. */
const SignInStatus = z.object({
  server: z.string(),
  account: z.optional(z.string()),
  state: z.enum(['signed_in', 'expired', 'signed_out', 'not_needed', 'header', 'elsewhere']),
  expires_at: z.optional(z.number()),
  scope: z.optional(z.string()),
  issuer: z.optional(z.string()),
  refreshable: z.optional(z.boolean()),
});

const params = z.object({ id: serverId });
const query = z.object({ agent: z.optional(agentId), project: projectId });

export const SIGN_IN: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/servers/{id}/sign-in',
    act: 'server.sign-in',
    summary: 'Begins a sign-in to a server. The browser that opens the page has to be on the machine of the hub.',
    params,
    query,
    answers: { 201: { description: 'It has begun.', schema: SignInPage } },
    async run({ params: { id }, query: asked }, rooms) {
      const host = await hostForAgent(rooms, asked);
      return { status: 201, body: { url: (await rooms.signIns.begin(host, id, asked.project)) ?? null } };
    },
  }),
  route({
    method: 'get',
    path: '/api/servers/{id}/sign-in',
    summary: 'Waits until the sign-in that was begun last is over.',
    params,
    query: z.object({ project: projectId }),
    answers: { 200: { description: 'The person is signed in, and the server is connected again.', schema: SignedIn } },
    run: async ({ params: { id }, query: { project } }, rooms) => ({ body: await outcomeOf(rooms, id, project) }),
  }),
  route({
    method: 'delete',
    path: '/api/servers/{id}/sign-in',
    act: 'server.sign-out',
    summary: 'Signs out of a server: the account that its config names, another one, or all.',
    params,
    query: z.object({
      agent: z.optional(agentId),
      project: projectId,
      account: z.optional(z.string()),
      all: z.optional(z.enum(['true', 'false'])),
    }),
    answers: {
      200: { description: 'What was removed.', schema: z.object({ removed: z.array(z.string()) }) },
    },
    async run({ params: { id }, query: { account, all, ...asked } }, rooms) {
      const removed = await signOut(await hostForAgent(rooms, asked), id, { account, all: all === 'true' });
      return { body: { removed } };
    },
  }),
  route({
    method: 'get',
    path: '/api/sign-ins',
    summary: 'Where the hub is signed in, as far as that is known without asking the servers.',
    query,
    answers: { 200: { description: 'The sign-ins.', schema: z.object({ servers: z.array(SignInStatus) }) } },
    run: async ({ query: asked }, rooms) => ({ body: { servers: await authStatus(await hostForAgent(rooms, asked)) } }),
  }),
];

async function outcomeOf(
  { signIns }: Rooms,
  id: string,
  project: string | undefined,
): Promise<z.infer<typeof SignedIn>> {
  const outcome = signIns.outcome(id, project);
  if (!outcome) throw notFound(`No sign-in to '${id}' was begun.`, `POST /api/servers/${id}/sign-in begins one`);
  const { server, scope = null, expires_at = null } = await outcome;
  return { server, scope, expires: isoOrNull(expires_at) };
}
