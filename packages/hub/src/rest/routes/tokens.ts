import * as z from 'zod/mini';
import { METRICS } from '../../store/bearer.ts';
import { type ListedToken, TOKEN_LIMITS, tokenId } from '../../store/token-book.ts';
import { invalid, notFound } from '../failure.ts';
import { type Route, route } from '../route.ts';
import { agentId, executorId } from '../shapes/query.ts';

export const Token = z.object({
  id: z.string().check(z.describe('To tell tokens apart. It opens nothing.')),
  kind: z
    .enum(['person', 'agent', METRICS])
    .check(z.describe('A person token opens everything, one of an agent its doors, one for metrics /metrics only.')),
  agent: z.nullable(z.string()),
  session: z.nullable(z.string()).check(z.describe('All connections with this token are one session of this name.')),
  executor: z.nullable(z.string()).check(z.describe('Where the agent runs. null: on this machine.')),
  name: z.nullable(z.string()),
  created: z.string(),
  expires: z.nullable(z.string()).check(z.describe('When it ends by itself. null: it is good until it is revoked.')),
});

const { nameChars, hours: maxHours } = TOKEN_LIMITS;

const word = z.string().check(z.minLength(1, 'it is empty'), z.maxLength(nameChars, `at most ${nameChars} characters`));

const NewToken = z.object({
  token: z.string().check(z.describe('Shown this once: only its hash is kept.')),
  ...Token.shape,
});

export const TOKENS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/tokens',
    summary: 'The tokens of people and agents, without what would open anything.',
    answers: { 200: { description: 'Oldest first.', schema: z.object({ tokens: z.array(Token) }) } },
    async run(_asked, { tokens }) {
      return { body: { tokens: (await tokens.list()).map(shown) } };
    },
  }),
  route({
    method: 'post',
    path: '/api/tokens',
    summary:
      'Makes a token: for a person, with `agent` one that opens the doors of that agent only, or with `opens` one for a monitor.',
    body: z.strictObject({
      agent: z.optional(agentId),
      session: z.optional(word).check(z.describe('For one run of the agent.')),
      executor: z.optional(executorId).check(z.describe('Where the agent runs. Default local.')),
      opens: z.optional(z.literal(METRICS)).check(z.describe('It opens /metrics and nothing else.')),
      name: z.optional(word).check(z.describe('What you call it.')),
      hours: z
        .optional(z.int().check(z.positive('at least 1'), z.maximum(maxHours, `at most ${maxHours}`)))
        .check(z.describe('It ends by itself after so long. Default: it is good until it is revoked.')),
    }),
    answers: { 201: { description: 'The token.', schema: NewToken } },
    async run({ body: { agent, ...terms } }, { tokens }) {
      const { session, executor, opens } = terms;
      if (agent !== undefined && opens !== undefined)
        throw invalid('The token cannot be made', [
          { path: 'opens', message: 'A token of an agent opens its doors.', fix: 'Leave out agent or opens.' },
        ]);
      if (agent === undefined && (session !== undefined || executor !== undefined)) {
        const [path, what] = session === undefined ? ['executor', 'executor'] : ['session', 'session'];
        const message = `Only a token of an agent is for one ${what}.`;
        throw invalid('The token cannot be made', [{ path, message, fix: 'Name the agent too.' }]);
      }
      const token = await tokens.issue(agent, terms);
      const id = tokenId(token);
      const listed = (await tokens.list()).find(one => one.id === id) as ListedToken;
      return { status: 201, body: { token, ...shown(listed) } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/tokens/{id}',
    summary: 'Revokes a token: it opens nothing more, and what was opened with it ends.',
    params: z.object({ id: z.string() }),
    answers: { 200: { description: 'It is revoked.', schema: z.object({ success: z.literal(true) }) } },
    async run({ params: { id } }, { tokens }) {
      if (await tokens.revokeListed(id)) return { body: { success: true } };
      throw notFound(`There is no token '${id}'.`, 'GET /api/tokens lists them');
    },
  }),
];

function shown({ id, created, ...terms }: ListedToken): z.infer<typeof Token> {
  const { agent = null, session = null, executor = null, opens, name = null, expires = null } = terms;
  const kind = opens === METRICS ? METRICS : agent === null ? 'person' : 'agent';
  return { id, kind, agent, session, executor, name, created, expires };
}
