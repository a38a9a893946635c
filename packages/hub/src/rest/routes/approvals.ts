import { JunctorError } from '@junctor/core';
import * as z from 'zod/mini';
import type { OpenApproval } from '../../approvals/inbox.ts';
import { notFound, Refusal } from '../failure.ts';
import { type Route, route } from '../route.ts';
import { agentId, DEFAULT_LIMIT, iso, isoOrNull, limit } from '../shapes/query.ts';

export const Approval = z.object({
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
  by: z.nullable(z.string()).check(z.describe('Where it was answered, and by whom where that is known.')),
  note: z.nullable(z.string()).check(z.describe('What the model was told with a no.')),
});

export const Answer = z.strictObject({
  answer: z.enum(['once', 'session', 'always', 'deny'], 'once, session, always or deny'),
  when: z.optional(z.string()).check(z.describe('Only for such arguments, as in a rule: path=/tmp/**.')),
  note: z.optional(z.string().check(z.maxLength(2000))).check(z.describe('With deny: what the model is told.')),
  from: z
    .optional(z.enum(['rest', 'terminal', 'page'], 'rest, terminal or page'))
    .check(z.describe('Where the person is, for the audit. Default: rest.')),
});

export function noQuestion(id: string): Refusal {
  return notFound(
    `There is no question '${id}'.`,
    'junctor approvals, and GET /api/approvals, list those that are open',
  );
}

const PLACES = { rest: 'over REST', terminal: 'in the terminal', page: 'on the page' } as const;

export const APPROVALS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/approvals',
    summary: 'Calls of any agent that wait for a yes, oldest first; or those that were asked about before.',
    query: z.object({ state: z.optional(z.enum(['open', 'all'])), agent: z.optional(agentId), limit }),
    answers: { 200: { description: 'The questions.', schema: z.object({ approvals: z.array(Approval) }) } },
    async run({ query: { state = 'open', agent, limit: most = DEFAULT_LIMIT } }, { inbox, approvalRows }) {
      if (state === 'all') {
        await inbox.settled();
        const rows = await approvalRows.list({ agent, limit: most });
        return { body: { approvals: rows.map(shown) } };
      }
      const open = (await inbox.open()).filter(one => agent === undefined || one.agent === agent);
      return { body: { approvals: open.slice(0, most).map(shown) } };
    },
  }),
  route({
    method: 'post',
    path: '/api/approvals/{id}',
    summary: 'Answers a question: the call runs, or is denied. The first answer counts.',
    params: z.object({ id: z.string() }),
    body: Answer,
    answers: { 200: { description: 'It is settled.', schema: z.object({ success: z.literal(true) }) } },
    async run({ params: { id }, body: { answer: scope, when, note, from = 'rest' }, who }, { inbox }) {
      const by = who === undefined ? PLACES[from] : `${PLACES[from]} by ${who}`;
      const settled = await inbox.answer(id, { scope, when, note, by });
      if (settled.kind === 'settled') return { body: { success: true } };
      if (settled.kind === 'unknown') throw noQuestion(id);
      throw new Refusal(
        409,
        new JunctorError('config_conflict', `The question '${id}' is no longer open.`, {
          why: `it was settled as '${settled.outcome}'`,
          hint: 'junctor approvals shows those that wait',
        }),
      );
    },
  }),
];

function shown(approval: OpenApproval): z.infer<typeof Approval> {
  const { id, agent, session, server, tool, because, changed, note } = approval;
  return {
    id,
    agent: agent || null,
    session: session || null,
    server,
    tool,
    arguments: JSON.parse(approval.arguments),
    because,
    ...(changed ? { changed: [...changed] } : {}),
    asked: iso(approval.asked),
    expires: isoOrNull(approval.expires),
    outcome: approval.outcome as z.infer<typeof Approval>['outcome'],
    answered: isoOrNull(approval.answered),
    by: approval.answered_by,
    note,
  };
}
