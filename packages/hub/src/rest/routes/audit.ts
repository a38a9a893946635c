import * as z from 'zod/mini';
import type { StoredAct } from '../../store/tables.ts';
import { type Route, route } from '../route.ts';
import { asMs, DEFAULT_LIMIT, iso, limit, moment } from '../shapes/query.ts';

export const Act = z.object({
  seq: z.int().check(z.describe('Counts up. The next page: before=<the last one>.')),
  at: z.string(),
  act: z.string().check(z.describe('What was done, such as `token.create`, `server.define` or `secret.set`.')),
  target: z.string().check(z.describe('What it was done to, by id or name.')),
  person: z.nullable(z.string()).check(z.describe('Who did it, where their token or login has a name.')),
  made_with: z.string().check(z.describe('With what: `hub`, `token <id>` or `issuer <owner>`.')),
  via: z.string().check(z.describe('page or rest.')),
  address: z.string().check(z.describe('Where the request came from; behind a proxy, the proxy.')),
  before: z.nullable(z.string()).check(z.describe('JSON, secrets masked, the first 4,000 characters.')),
  after: z.nullable(z.string()),
  outcome: z.string().check(z.describe('done, or why it was refused.')),
});

export const AUDIT: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/audit',
    summary: 'What people changed at the hub: who, what, before and after, and from where. Newest first.',
    query: z.object({
      act: z.optional(z.string()).check(z.describe('An act, or its first word: token finds token.create.')),
      person: z.optional(z.string()),
      since: moment,
      until: moment,
      before: z.optional(z.coerce.number('a whole number').check(z.int('a whole number'))),
      limit,
    }),
    answers: { 200: { description: 'The acts.', schema: z.object({ acts: z.array(Act) }) } },
    async run({ query: { act, person, since, until, before, limit: most = DEFAULT_LIMIT } }, { acts }) {
      const found = await acts.list({ act, person, since: asMs(since), until: asMs(until), before, limit: most });
      return { body: { acts: found.map(shown) } };
    },
  }),
];

function shown({ seq, at, person, made_with, ...same }: StoredAct): z.infer<typeof Act> {
  const [kind, digest] = made_with.split(' ');
  // The same short id as in the list of tokens.
  const credential = kind === 'token' && digest !== undefined ? `token ${digest.slice(0, 12)}` : made_with;
  return { seq: Number(seq), at: iso(Number(at)), ...same, person: person || null, made_with: credential };
}
