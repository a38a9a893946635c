import * as z from 'zod/mini';
import { gather } from '../every-hub.ts';
import { type Route, route } from '../route.ts';
import { iso, onlyHere, silentHubs } from '../shapes/query.ts';
import { filterOf, WHICH } from './calls.ts';

const sums = {
  calls: z.int(),
  errors: z.int(),
  p50_ms: z.nullable(z.number()).check(z.describe('Half of them took no longer.')),
  p95_ms: z.nullable(z.number()),
};

export const CallSummary = z.object({
  since: z.string(),
  until: z.string(),
  ...sums,
  parts: z.array(z.object({ since: z.string(), ...sums })).check(z.describe('Oldest first, each as long as the next.')),
  silent_hubs: silentHubs,
});

const DEFAULT_PARTS = 60;

export const CALL_SUMMARY: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/calls/summary',
    summary: 'What calls came to over time: how many, how many failed, how long they took.',
    query: z.object({
      ...WHICH,
      parts: z
        .optional(
          z.coerce
            .number('a whole number')
            .check(z.int('a whole number'), z.minimum(1, 'at least 1'), z.maximum(500, 'at most 500')),
        )
        .check(z.describe('Into how many parts the time is divided. Default: 60.')),
      hub: onlyHere,
    }),
    answers: { 200: { description: 'All of them, and part by part.', schema: CallSummary } },
    async run({ query: { parts = DEFAULT_PARTS, hub, ...which } }, rooms) {
      const { missing } = await gather(rooms, hub);
      const { records } = rooms;
      const { since, until, all, parts: each } = await records.callSearch.summary(filterOf(which), parts);
      const shown = each.map(part => ({ ...part, since: iso(part.since) }));
      return { body: { since: iso(since), until: iso(until), ...all, parts: shown, ...missing } };
    },
  }),
];
