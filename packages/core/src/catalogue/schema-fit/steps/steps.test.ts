import { describe, expect, test } from 'vitest';
import type { SchemaRules } from '../../../config/schema/profile-schema.ts';
import { findModel } from '../../profiles/find-profile.ts';
import { fitSchema } from '../fit-schema.ts';

const rulesOf = (provider: string): SchemaRules => findModel(provider).profile.schema as SchemaRules;
/** An object with one property. */
const taking = (schema: unknown) => ({ type: 'object', properties: { a: schema } });
const fitted = (schema: unknown, provider: string) => {
  const { properties } = fitSchema(taking(schema), rulesOf(provider)).schema;
  return (properties as Record<string, unknown> | undefined)?.a;
};

describe('Gemini gets', () => {
  test.each([
    [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      { type: 'string', default: null, nullable: true },
    ],
    [
      { type: ['string', 'integer'], minLength: 1, minimum: 2 },
      {
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'integer', minimum: 2 },
        ],
      },
    ],
    [
      { oneOf: [{ type: 'string' }, { type: 'number' }], description: 'Which.' },
      { anyOf: [{ type: 'string', description: 'Which.' }, { type: 'number' }] },
    ],
    [{ const: 'one' }, { enum: ['one'], type: 'string' }],
    [
      { type: 'integer', enum: [1, 2] },
      { type: 'integer', description: 'One of: 1, 2.' },
    ],
    [
      { type: 'string', enum: ['a', ''] },
      { type: 'string', enum: ['a'] },
    ],
    [
      { type: 'array' },
      {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }] },
      },
    ],
    [
      { type: 'array', items: [{ type: 'string' }, { type: 'string' }] },
      { type: 'array', items: { type: 'string' } },
    ],
    [
      { type: 'integer', exclusiveMinimum: 0 },
      { type: 'integer', minimum: 1 },
    ],
    [
      { type: 'number', exclusiveMaximum: 1 },
      { type: 'number', maximum: 1, description: 'Below 1.' },
    ],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', description: 'Takes any keys; each value: string.' },
    ],
    [{ type: 'object', properties: {}, additionalProperties: false }, { type: 'object' }],
    [
      { type: 'string', format: 'email' },
      { type: 'string', description: 'Format: email.' },
    ],
    [
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date-time' },
    ],
    [{ allOf: [{ type: 'string' }, { minLength: 1 }] }, { type: 'string', minLength: 1 }],
    [{ minLength: 1 }, { minLength: 1, type: 'string' }],
    [{ type: 'string', properties: { b: {} }, required: ['b'] }, { type: 'string' }],
    [true, { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }] }],
  ])('%j as %j', (schema, expected) => {
    expect(fitted(schema, 'gemini')).toEqual(expected);
  });

  test('properties it cannot name in words', () => {
    const schema = {
      type: 'object',
      properties: { $top: { type: 'integer', description: 'How many' }, ok: { type: 'string' } },
      required: ['$top', 'ok'],
    };
    expect(fitSchema(schema, rulesOf('gemini')).schema).toEqual({
      type: 'object',
      properties: { ok: { type: 'string' } },
      required: ['ok'],
      description: 'Also takes "$top" (integer, required): How many.',
    });
  });
});

describe('OpenAI gets', () => {
  test.each([
    [{ type: 'array' }, { type: 'array', items: {} }],
    [
      { prefixItems: [{ type: 'string' }, { type: 'number' }], type: 'array' },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    [
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [{ type: ['string', 'null'], enum: [] }, { type: ['string', 'null'] }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ])('%j as %j', (schema, expected) => {
    expect(fitted(schema, 'openai')).toEqual(expected);
  });

  test('strict tools where all is required anyway, and no others', () => {
    const schema = {
      ...taking({ type: 'object', properties: { b: { type: 'string' } }, required: ['b'] }),
      required: ['a'],
    };
    const strict = fitSchema(schema, rulesOf('openai'));
    expect(strict).toMatchObject({ strict: true, schema: { additionalProperties: false, required: ['a'] } });
    expect(strict.changes.map(({ at, what }) => [at, what])).toEqual([
      ['', 'closed-for-strict'],
      ['/properties/a', 'closed-for-strict'],
    ]);
    const loose = [
      taking({ type: 'string' }),
      { ...taking({ type: 'string', minLength: 1 }), required: ['a'] },
      { ...schema, additionalProperties: true },
    ];
    expect(loose.map(one => fitSchema(one, rulesOf('openai')))).toEqual(
      loose.map(one => ({ schema: one, changes: [], strict: false })),
    );
  });
});
