import { compileConditions, isObject, parseConditions, parseKeepingDigits } from '@junctor/core/internal';
import * as z from 'zod/mini';
import type { StoredCall } from '../../store/call-search.ts';
import { hostInFolder } from '../project-host.ts';
import { type Route, route } from '../route.ts';
import { noQuestion } from './approvals.ts';

/** Looked at to tell what a pattern would mean. */
const PAST = 200;
const EXAMPLES = 3;

export const ApprovalPreview = z.object({
  pattern: z.string().check(z.describe('What always would allow, written as a rule.')),
  problem: z.nullable(z.string()).check(z.describe('Why it cannot be answered with these arguments.')),
  past: z
    .object({
      calls: z.int(),
      failed: z.int(),
      covered: z.int(),
      covered_examples: z.array(z.string()),
      other_examples: z.array(z.string()),
    })
    .check(z.describe(`Of the last ${PAST} calls of this tool: those it would have allowed, and others.`)),
  trusted: z.boolean().check(z.describe('Whether a person trusts the server.')),
  annotations: z
    .nullable(z.record(z.string(), z.unknown()))
    .check(z.describe('What the server says of its tool. Nobody checks it.')),
});

export const APPROVAL_PREVIEW: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/approvals/{id}/preview',
    summary: 'What an answer for always, or for the session, would allow; and what is known of the tool.',
    params: z.object({ id: z.string() }),
    query: z.object({ when: z.optional(z.string()).check(z.describe('Only for such arguments: path=/tmp/**.')) }),
    answers: { 200: { description: 'The preview.', schema: ApprovalPreview } },
    async run({ params: { id }, query: { when = '' } }, { inbox, approvalRows, book, records }) {
      // Somebody may have answered it while another looks at it.
      const asked = (await inbox.open()).find(one => one.id === id) ?? (await approvalRows.find(id));
      if (!asked) throw noQuestion(id);
      const { server, tool, project } = asked;
      await records.flush();
      const calls = await records.callSearch.list({ server, tool, project }, PAST);
      const { fits, problem } = readPattern(when);
      const [covered, others] = parted(calls, fits);
      const agent = asked.agent || undefined;
      const host = hostInFolder({ book }, agent, project) ?? book.hostOf(agent);
      const { entries } = await host.snapshot({ patienceMs: 0 });
      const definition = entries.find(one => one.server === server && one.tool === tool)?.definition;
      return {
        body: {
          pattern: `mcp__${server}__${tool}${when === '' ? '' : `(${when})`}`,
          problem: problem ?? (fits(parseKeepingDigits(asked.arguments)) ? null : NOT_THIS),
          past: {
            calls: calls.length,
            failed: calls.filter(({ failed }) => failed === 1).length,
            covered: covered.length,
            covered_examples: covered.slice(0, EXAMPLES),
            other_examples: others.slice(0, EXAMPLES),
          },
          trusted: host.server(server)?.trusted ?? false,
          annotations: isObject(definition?.annotations) ? definition.annotations : null,
        },
      };
    },
  }),
];

const NOT_THIS =
  'it does not cover this call, as far as its arguments are shown: * stands for anything but a slash, ** for anything';

interface Pattern {
  readonly fits: (args: unknown) => boolean;
  readonly problem?: string;
}

function readPattern(when: string): Pattern {
  if (when === '') return { fits: () => true };
  const parsed = parseConditions(when);
  if (!parsed.ok) return { fits: () => false, problem: `${parsed.because}: write it as path=/tmp/**` };
  return { fits: compileConditions(parsed.conditions, 'narrow') };
}

/** Arguments of calls that fit, and of those that do not. What was cut is not JSON any more, and counts as other. */
function parted(calls: readonly StoredCall[], fits: Pattern['fits']): [string[], string[]] {
  const texts = calls.map(call => call.arguments ?? '{}');
  const isCovered = (text: string): boolean => {
    try {
      return fits(parseKeepingDigits(text));
    } catch {
      return false;
    }
  };
  const { covered = [], others = [] } = Object.groupBy(texts, text => (isCovered(text) ? 'covered' : 'others'));
  return [covered, others];
}
