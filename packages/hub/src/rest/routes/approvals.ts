import { JunctorError, type PendingApproval } from '@junctor/core';
import * as z from 'zod/mini';
import type { ApprovalRow } from '../../store/tables.ts';
import { notFound, Refusal } from '../failure.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { agentId, DEFAULT_LIMIT, iso, isoOrNull, limit } from '../shapes/query.ts';

const Approval = z.object({
  id: z.string(),
  agent: z.nullable(z.string()),
  session: z.nullable(z.string()),
  server: z.string(),
  tool: z.string(),
  arguments: z.unknown().check(z.describe('Secrets masked.')),
  because: z.string().check(z.describe('Why it is asked.')),
  changed: z.optional(z.array(z.string())).check(z.describe('What is another since the tool was allowed.')),
  asked: z.string(),
  expires: z.nullable(z.string()).check(z.describe('When it becomes a no.')),
  outcome: z
    .nullable(z.enum(['once', 'session', 'always', 'deny', 'expired', 'withdrawn']))
    .check(z.describe('null: it is open.')),
  answered: z.nullable(z.string()),
});

const Answer = z.strictObject({
  answer: z.enum(['once', 'session', 'always', 'deny'], 'once, session, always or deny'),
  when: z.optional(z.string()).check(z.describe('Only for such arguments, as in a rule: path=/tmp/**.')),
});

export const APPROVALS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/approvals',
    summary: 'Calls of any agent that wait for a yes, oldest first; or those that were asked about before.',
    query: z.object({ state: z.optional(z.enum(['open', 'all'])), agent: z.optional(agentId), limit }),
    answers: { 200: { description: 'The questions.', schema: z.object({ approvals: z.array(Approval) }) } },
    async run({ query: { state = 'open', agent, limit: most = DEFAULT_LIMIT } }, rooms) {
      if (state === 'all') {
        const rows = await rooms.approvalRows.list({ agent, limit: most });
        return { body: { approvals: rows.map(past) } };
      }
      const open = openQuestions(rooms).filter(one => agent === undefined || one.agent === agent);
      return { body: { approvals: open.slice(0, most) } };
    },
  }),
  route({
    method: 'post',
    path: '/api/approvals/{id}',
    summary: 'Answers a question: the call runs, or is denied. The first answer counts.',
    params: z.object({ id: z.string() }),
    body: Answer,
    answers: { 200: { description: 'It is settled.', schema: z.object({ success: z.literal(true) }) } },
    async run({ params: { id }, body: { answer, when } }, rooms) {
      const said = answer === 'deny' ? answer : { scope: answer, when };
      if (rooms.book.hosts().some(({ host }) => host.approvals.answer(id, said))) return { body: { success: true } };
      const row = await rooms.approvalRows.find(id);
      if (!row) throw notFound(`There is no question '${id}'.`, 'GET /api/approvals lists those that are open');
      const why = `it was settled as '${row.outcome ?? 'withdrawn'}'`;
      throw new Refusal(409, new JunctorError('config_conflict', `The question '${id}' is no longer open.`, { why }));
    },
  }),
];

type Shown = z.infer<typeof Approval>;

function openQuestions({ book, records }: Rooms): Shown[] {
  return book
    .hosts()
    .flatMap(({ host, agent }) =>
      host.approvals.list().map(one => pending(one, agent ?? records.sessions.agentOf(one.session))),
    )
    .sort((one, other) => (one.asked < other.asked ? -1 : 1));
}

function pending(
  { id, server, tool, args, because, changed, session, since, expires }: PendingApproval,
  agent = '',
): Shown {
  return {
    id,
    agent: agent || null,
    session: session ?? null,
    server,
    tool,
    arguments: args,
    because,
    ...(changed ? { changed: [...changed] } : {}),
    asked: since.toISOString(),
    expires: expires?.toISOString() ?? null,
    outcome: null,
    answered: null,
  };
}

function past({
  hub: _hub,
  agent,
  session,
  arguments: args,
  asked,
  expires,
  outcome,
  answered,
  ...row
}: ApprovalRow): Shown {
  return {
    ...row,
    agent: agent || null,
    session: session || null,
    arguments: JSON.parse(args),
    asked: iso(asked),
    expires: isoOrNull(expires),
    outcome: outcome as Shown['outcome'],
    answered: isoOrNull(answered),
  };
}
