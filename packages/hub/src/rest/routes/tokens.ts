import * as z from 'zod/mini';
import { METRICS } from '../../store/bearer.ts';
import { tokenId } from '../../store/good-tokens.ts';
import type { TokenBook } from '../../store/token-book.ts';
import { type ListedToken, TOKEN_LIMITS } from '../../store/token-terms.ts';
import { invalid, notFound, type Refusal } from '../failure.ts';
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
  last_used: z.nullable(z.string()).check(z.describe('When it was last used, to half a minute. null: never.')),
  made_by: z
    .nullable(z.string())
    .check(
      z.describe(
        'Who made it: `command`, `hub` (with its own token), `token <id>` or `issuer <owner>`. It ends with that token.',
      ),
    ),
  made_by_name: z.nullable(z.string()).check(z.describe('The name of who made it, where it has one.')),
});

const { nameChars, hours: maxHours, defaultHours } = TOKEN_LIMITS;

const word = z.string().check(z.minLength(1, 'it is empty'), z.maxLength(nameChars, `at most ${nameChars} characters`));

const NewToken = z.object({
  token: z.string().check(z.describe('Shown this once: only its hash is kept.')),
  ...Token.shape,
});

const Revoked = z.object({
  success: z.literal(true),
  revoked: z.int().check(z.describe('How many: with those that were made with them.')),
});

export const TOKENS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/tokens',
    summary: 'The tokens of people and agents, without what would open anything.',
    answers: { 200: { description: 'Oldest first.', schema: z.object({ tokens: z.array(Token) }) } },
    async run(_asked, { tokens, uses }) {
      return { body: { tokens: (await tokens.list(await uses.all())).map(shown) } };
    },
  }),
  route({
    method: 'post',
    path: '/api/tokens',
    act: 'token.create',
    summary:
      'Makes a token: for a person, with `agent` one that opens the doors of that agent only, or with `opens` one for a monitor.',
    body: z.strictObject({
      agent: z.optional(agentId),
      session: z.optional(word).check(z.describe('For one run of the agent.')),
      executor: z.optional(executorId).check(z.describe('Where the agent runs. Default local.')),
      opens: z.optional(z.literal(METRICS)).check(z.describe('It opens /metrics and nothing else.')),
      name: z.optional(word).check(z.describe('What you call it.')),
      hours: z
        .optional(z.nullable(z.int().check(z.positive('at least 1'), z.maximum(maxHours, `at most ${maxHours}`))))
        .check(
          z.describe(
            `It ends by itself after so long. Default ${defaultHours} (${defaultHours / 24} days). null: it is good until it is revoked. It never outlives a token of the issuer that it is made with.`,
          ),
        ),
    }),
    answers: { 201: { description: 'The token.', schema: NewToken } },
    async run({ body: { agent, ...terms }, maker }, { tokens }) {
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
      const token = await tokens.issue(agent, { ...terms, maker });
      return { status: 201, body: { token, ...(await listedAs(token, tokens)) } };
    },
  }),
  route({
    method: 'post',
    path: '/api/tokens/{id}/rotate',
    act: 'token.rotate',
    summary: 'Makes a new token in place of this one, for as long again. The old one opens nothing more.',
    params: z.object({ id: z.string() }),
    answers: { 201: { description: 'The new token.', schema: NewToken } },
    async run({ params: { id }, maker }, { tokens }) {
      const token = await tokens.rotate(id, maker);
      if (token === undefined) throw noToken(id);
      return { status: 201, body: { token, ...(await listedAs(token, tokens)) } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/tokens',
    act: 'token.revoke-made-by',
    summary: 'Revokes all tokens that somebody made, with all that those made.',
    query: z.object({
      made_by: z.string().check(z.describe('The id of a token, the name of its owner, or made_by as it is listed.')),
    }),
    answers: { 200: { description: 'They are revoked.', schema: Revoked } },
    async run({ query: { made_by } }, { tokens }) {
      return { body: { success: true, revoked: await tokens.revokeMadeBy(made_by) } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/tokens/{id}',
    act: 'token.revoke',
    summary:
      'Revokes a token and all tokens and page logins made with it: they open nothing more, and what they opened ends.',
    params: z.object({ id: z.string() }),
    answers: { 200: { description: 'It is revoked.', schema: Revoked } },
    async run({ params: { id } }, { tokens }) {
      const revoked = await tokens.revokeListed(id);
      if (revoked === 0) throw noToken(id);
      return { body: { success: true, revoked } };
    },
  }),
];

async function listedAs(token: string, tokens: TokenBook): Promise<z.infer<typeof Token>> {
  const id = tokenId(token);
  return shown((await tokens.list()).find(one => one.id === id) as ListedToken);
}

function noToken(id: string): Refusal {
  return notFound(`There is no token '${id}'.`, 'GET /api/tokens lists them');
}

function shown({ id, created, ...terms }: ListedToken): z.infer<typeof Token> {
  const { agent = null, session = null, executor = null, opens, name = null, expires = null } = terms;
  const { made_by = null, made_by_name = null, last_used = null } = terms;
  const kind = opens === METRICS ? METRICS : agent === null ? 'person' : 'agent';
  return { id, kind, agent, session, executor, name, created, expires, last_used, made_by, made_by_name };
}
