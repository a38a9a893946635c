import { describe, expect, test } from 'vitest';
import { describeChange, isLossy } from './change.ts';
import { fitSchema } from './fit-schema.ts';
import { ANY_ARGUMENTS } from './limits.ts';

/** An object with one property. */
const taking = (schema: unknown) => ({ type: 'object', properties: { a: schema } });

describe('above a budget', () => {
  const words = 'What this is for, at some length. '.repeat(3);
  const deep = taking({
    type: 'object',
    description: words,
    properties: {
      b: {
        type: 'object',
        properties: {
          c: {
            type: 'object',
            description: words,
            properties: {
              d: { anyOf: [{ type: 'string' }, { type: 'object', properties: { e: { type: 'string' } } }] },
            },
          },
        },
      },
    },
  });
  const within = (budget_bytes: number) => fitSchema(deep, { budget_bytes });

  test.each([
    [10_000, []],
    [400, ['compact-descriptions']],
    [250, ['compact-descriptions', 'compact-depth']],
    [60, ['compact-descriptions', 'compact-depth', 'replaced']],
  ])('of %i bytes it is made smaller step by step', (budget, steps) => {
    const { schema, changes } = within(budget);
    expect(changes.map(({ what }) => what)).toEqual(steps);
    expect(JSON.stringify(schema).length).toBeLessThanOrEqual(Math.max(budget, JSON.stringify(ANY_ARGUMENTS).length));
    expect(fitSchema(schema, { budget_bytes: budget }).changes).toEqual([]);
  });

  test('definitions and alternatives go too', () => {
    const $defs = { d: { type: 'string', description: 'x'.repeat(50), pattern: 'y'.repeat(300) } };
    const either = {
      anyOf: [{ type: 'string', pattern: 'z'.repeat(200) }, { type: 'number' }],
      description: 'Either.',
    };
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/d' }, b: either }, $defs };
    const { schema: small, changes } = fitSchema(schema, { budget_bytes: 100 });
    expect(changes.map(({ what }) => what)).toEqual(['compact-definitions', 'compact-alternatives']);
    expect(small).toEqual({ type: 'object', properties: { a: { type: 'string' }, b: { description: 'Either.' } } });
  });
});

test('depth is cut where a profile says so, and changes know whether something is lost', () => {
  const { schema, changes } = fitSchema(taking({ type: 'object', properties: { b: {} } }), { max_depth: 1 });
  expect(schema).toEqual(taking({ type: 'object' }));
  expect(changes.map(change => [describeChange(change), isLossy(change)])).toEqual([
    ['/properties/a: details below this level left out', true],
  ]);
});
