import { describe, expect, test } from 'vitest';
import { problemWith, readArguments } from './arguments.ts';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    depth: { type: 'integer' },
    mode: { type: ['string', 'null'] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    maybe: { type: 'string', nullable: true },
  },
  required: ['path'],
};

describe('arguments', () => {
  test.each<[unknown, object, string | undefined]>([
    [{ path: '/' }, schema, undefined],
    [{ path: '/', depth: 1, mode: null, either: true, maybe: null, more: 1 }, schema, undefined],
    [{}, schema, 'missing: path'],
    [{ path: 1 }, schema, 'path must be string, and is number'],
    [{ path: '/', depth: 1.5 }, schema, 'depth must be integer, and is number'],
    [{ path: '/', mode: [] }, schema, 'mode must be string or null, and is array'],
    [{ path: '/', more: 1 }, { ...schema, additionalProperties: false }, 'more is not known'],
    [{ x_1: 1 }, { additionalProperties: false, patternProperties: { '^x_': {} } }, undefined],
    [[], schema, 'arguments must be an object, and is array'],
    ['path', schema, 'arguments must be an object, and is string'],
    [{ anything: 1 }, {}, undefined],
    [{ odd: 1 }, { properties: { odd: { type: 'whatever' } }, required: 'odd' }, undefined],
  ])('%j', (args, of, problem) => {
    expect(problemWith(args, of as Record<string, unknown>)).toBe(problem);
  });

  test('are read as models write them', () => {
    expect([undefined, null, '', '{"a":1}', { a: 1 }, 'no json'].map(readArguments)).toEqual([
      {},
      {},
      {},
      { a: 1 },
      { a: 1 },
      'no json',
    ]);
  });
});
