import { JunctorError } from '@junctor/core';
import { parseKeepingDigits } from '@junctor/core/internal';
import * as z from 'zod/mini';
import type { OpenApproval } from '../../approvals/inbox.ts';
import { notFound, Refusal } from '../failure.ts';
import { type Route, route } from '../route.ts';
import { agentId, DEFAULT_LIMIT, iso, isoOrNull, limit } from '../shapes/query.ts';

export const Approval = z.object({
  id: z.string(),
  agent: z.nullable(z.string()),
  person: z.optional(z.string()).check(z.describe('The person who makes the call, while it waits.')),
  client: z.optional(z.string()).check(z.describe('What the client calls itself, while the call waits.')),
  project: z.nullable(z.string()).check(z.describe('The folder of the project the call was made in; null: in none.')),
  session: z.nullable(z.string()),
  server: z.string(),
  tool: z.string(),
  arguments: z
    .unknown()
    .check(z.describe('Secrets masked. Where arguments_cut is set: a text with the first 4,000 characters.')),
  arguments_cut: z
    .optional(z.object({ characters: z.int(), sha256: z.string() }))
    .check(z.describe('Length and SHA-256 of the whole as JSON without spaces, where it is longer.')),
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
  note: z.optional(z.string().check(z.maxLength(2000))).check(z.describe('With deny: what the model reads.')),
  all_agents: z
    .optional(z.boolean())
    .check(z.describe('With always: for every agent. Default: only for the agent that asked.')),
  from: z
    .optional(z.enum(['rest', 'terminal', 'page'], 'rest, terminal or page'))
    .check(z.describe('Where the person is, for the audit. Default: rest. `page` counts only from the page itself.')),
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
    method: 'get',
    path: '/api/approvals/{id}/arguments',
    summary: 'All arguments of a call that waits, secrets masked: up to 1 MiB, of more the beginning and the end.',
    params: z.object({ id: z.string() }),
    answers: {
      200: {
        description: 'The arguments.',
        schema: z.object({
          text: z.string().check(z.describe('As JSON.')),
          complete: z.boolean().check(z.describe('Whether that is all.')),
        }),
      },
    },
    async run({ params: { id } }, { inbox }) {
      const open = (await inbox.open()).find(one => one.id === id);
      if (!open) throw noQuestion(id);
      return { body: open.readable === null ? { text: open.arguments, complete: true } : JSON.parse(open.readable) };
    },
  }),
  route({
    method: 'post',
    path: '/api/approvals/{id}',
    act: 'approval.answer',
    summary: 'Answers a question: the call runs, or is denied. The first answer counts.',
    params: z.object({ id: z.string() }),
    body: Answer,
    answers: { 200: { description: 'It is settled.', schema: z.object({ success: z.literal(true) }) } },
    async run({ params: { id }, body, caller, atPage }, { inbox }) {
      const { answer: scope, when, note, all_agents: allAgents, from } = body;
      // Only a request with the page's own cookie comes from the page, whatever it says of itself.
      const place = atPage ? PLACES.page : PLACES[from === 'terminal' ? 'terminal' : 'rest'];
      const name = caller.person?.name;
      const by = name === undefined ? place : `${place} by ${name}`;
      const settled = await inbox.answer(id, { scope, when, note, allAgents, by });
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
  const { id, agent, person, client, project, session, server, tool, because, changed, note } = approval;
  return {
    id,
    agent: agent || null,
    ...(person === undefined ? {} : { person }),
    ...(client === undefined ? {} : { client }),
    project: project || null,
    session: session || null,
    server,
    tool,
    arguments: parseKeepingDigits(approval.arguments),
    ...(approval.cut === null ? {} : { arguments_cut: JSON.parse(approval.cut) }),
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
