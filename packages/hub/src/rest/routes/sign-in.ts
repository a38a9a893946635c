import * as z from 'zod/mini';
import { expectAgent } from '../agent-view.ts';
import { notFound } from '../failure.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { agentId, isoOrNull, serverId } from '../shapes/query.ts';

export const SignInPage = z.object({
  url: z.nullable(z.string()).check(z.describe('The page to open; null: no person is needed, and it is done.')),
});

const SignedIn = z.object({
  server: z.string(),
  scope: z.nullable(z.string()),
  expires: z.nullable(z.string()),
});

const params = z.object({ id: serverId });
const query = z.object({ agent: z.optional(agentId) });

export const SIGN_IN: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/servers/{id}/sign-in',
    summary: 'Begins a sign-in to a server. The browser that opens the page has to be on the machine of the hub.',
    params,
    query,
    answers: { 201: { description: 'It has begun.', schema: SignInPage } },
    async run({ params: { id }, query: { agent } }, rooms) {
      const host = rooms.book.hostOf(agent === undefined ? undefined : expectAgent(rooms, agent));
      return { status: 201, body: { url: (await rooms.signIns.begin(host, id)) ?? null } };
    },
  }),
  route({
    method: 'get',
    path: '/api/servers/{id}/sign-in',
    summary: 'Waits until the sign-in that was begun last is over.',
    params,
    answers: { 200: { description: 'The person is signed in, and the server is connected again.', schema: SignedIn } },
    run: async ({ params: { id } }, rooms) => ({ body: await outcomeOf(rooms, id) }),
  }),
];

async function outcomeOf({ signIns }: Rooms, id: string): Promise<z.infer<typeof SignedIn>> {
  const outcome = signIns.outcome(id);
  if (!outcome) throw notFound(`No sign-in to '${id}' was begun.`, `POST /api/servers/${id}/sign-in begins one`);
  const { server, scope = null, expires_at = null } = await outcome;
  return { server, scope, expires: isoOrNull(expires_at) };
}
