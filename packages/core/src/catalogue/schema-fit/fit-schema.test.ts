import { describe, expect, test } from 'vitest';
import type { SchemaRules } from '../../config/schema/profile-schema.ts';
import { MODEL_PROFILES } from '../profiles/built-in.ts';
import { findModel } from '../profiles/find-profile.ts';
import { describeChange } from './change.ts';
import { fitSchema } from './fit-schema.ts';
import { judgeGemini } from './judges/gemini.ts';
import { ANY_ARGUMENTS, MAX_SCHEMA_BYTES } from './limits.ts';

const rulesOf = (provider: string): SchemaRules => findModel(provider).profile.schema as SchemaRules;
/** An object with one property. */
const taking = (schema: unknown) => ({ type: 'object', properties: { a: schema } });

describe('a schema that cannot be used', () => {
  test.each([
    ['nothing', undefined, 'it is not an object'],
    ['a text', 'object', 'it is not an object'],
    ['a list', [], 'it is not an object'],
    ['true', true, 'it is not an object'],
    ['of no object', { type: 'string' }, 'its type is "string", and arguments are always an object'],
    ['with a type that is none', taking({ type: 'text' }), 'its type is not what type has to be'],
    [
      'with properties that are none',
      { type: 'object', properties: [] },
      'its properties is not what properties has to be',
    ],
    ['with a property that is none', taking('string'), 'a schema in it is neither an object nor a boolean'],
    ['with a number required', { type: 'object', required: [1] }, 'its required is not what required has to be'],
    ['with nothing to choose from', taking({ anyOf: [] }), 'its anyOf is not what anyOf has to be'],
    ['that is too deep', nested(101), 'it is more than 100 levels deep'],
    ['too large', taking({ description: 'x'.repeat(MAX_SCHEMA_BYTES) }), 'it is larger than 64 KiB'],
    ['too large in bytes', taking({ enum: ['漢'.repeat(MAX_SCHEMA_BYTES / 3)] }), 'it is larger than 64 KiB'],
  ])('%s: any arguments are taken', (_what, schema, detail) => {
    expect(fitSchema(schema)).toEqual({
      schema: { type: 'object', additionalProperties: true },
      changes: [{ at: '', what: 'replaced', detail }],
      strict: false,
    });
  });

  test('is one byte larger than one that can', () => {
    const bytes = (text: string) => JSON.stringify(taking({ const: text })).length;
    const largest = 'x'.repeat(MAX_SCHEMA_BYTES - bytes(''));
    expect(fitSchema(taking({ const: largest })).changes).toEqual([]);
    expect(fitSchema(taking({ const: `${largest}x` })).schema).toBe(ANY_ARGUMENTS);
  });
});

function nested(levels: number): object {
  let schema: object = { type: 'object' };
  for (let level = 0; level < levels; level++) schema = taking(schema);
  return schema;
}

describe('a schema that can be used', () => {
  test('is the same value for nobody in particular, with what draft 2020-12 has', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...taking({ $ref: '#/$defs/d' }),
      $defs: { d: { prefixItems: [{}] } },
    };
    expect(fitSchema(schema).schema).toBe(schema);
    expect(fitSchema({ properties: {} }).schema).toEqual({ type: 'object', properties: {} });
  });

  test('hides nothing: texts are cleaned, names and values that hide something go', () => {
    const schema = {
      type: 'object',
      description: 'Safe\u202e',
      'x-note': 'seen\u200b',
      properties: { 'a\u{e0041}': {}, b: { enum: ['c', 'd\u200d'], title: 'x'.repeat(3000), default: { e: '\0' } } },
      required: ['a\u{e0041}', 'b'],
    };
    const { schema: clean, changes } = fitSchema(schema);
    expect(clean).toEqual({
      type: 'object',
      description: 'Safe',
      properties: { b: { enum: ['c'], title: `${'x'.repeat(1993)}… (cut)` } },
      required: ['b'],
    });
    expect(changes.map(describeChange)).toEqual([
      'texts with unseen characters cleaned, or cut (description)',
      'a name or value with unseen characters left out (x-note)',
      'a name or value with unseen characters left out (properties)',
      'a name or value with unseen characters left out (required)',
      '/properties/b: a name or value with unseen characters left out (enum)',
      '/properties/b: texts with unseen characters cleaned, or cut (title)',
      '/properties/b: a name or value with unseen characters left out (default)',
    ]);
  });
});

describe('the root', () => {
  test('of alternatives becomes one object that says what is needed', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      anyOf: [{ required: ['title'], properties: { title: { type: 'string' } } }, { required: ['state'] }],
    };
    const { schema: flat, changes } = fitSchema(schema, rulesOf('anthropic'));
    expect(flat).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, title: { type: 'string' } },
      required: ['id'],
      description: 'Needs one of these: title; or state.',
    });
    expect(changes).toEqual([{ at: '', what: 'root-merged' }]);
  });

  test('of kinds becomes one kind that can be any', () => {
    const kind = (name: string, more: object) => ({
      type: 'object',
      properties: { kind: { const: name }, ...more },
      required: ['kind', ...Object.keys(more)],
    });
    const schema = {
      oneOf: [kind('circle', { radius: { type: 'number' } }), kind('square', { side: { type: 'number' } })],
    };
    expect(fitSchema(schema, rulesOf('openai')).schema).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['circle', 'square'] },
        radius: { type: 'number' },
        side: { type: 'number' },
      },
      required: ['kind'],
      description: 'Needs one of these: kind and radius; or kind and side.',
    });
  });

  test('that is a reference, or parts that hold together, becomes what they name', () => {
    const schema = {
      $ref: '#/$defs/all',
      $defs: { all: { allOf: [taking({ type: 'string' }), { required: ['a'] }] } },
    };
    const { schema: flat } = fitSchema(schema, rulesOf('openai'));
    expect(flat).toMatchObject({ ...taking({ type: 'string' }), required: ['a'] });
    expect(flat).not.toHaveProperty('allOf');
  });
});

describe('a reference', () => {
  const tree = {
    type: 'object',
    properties: { root: { $ref: '#/$defs/node', description: 'The top.' } },
    $defs: { node: { type: 'object', properties: { left: { $ref: '#/$defs/node' }, name: { type: 'string' } } } },
  };

  test('stays where it is understood', () => {
    expect(fitSchema(tree, rulesOf('anthropic')).schema).toBe(tree);
  });

  test('is put in its place where it is not, and cut where it leads round', () => {
    const { schema, changes } = fitSchema(tree, rulesOf('bedrock'));
    expect(schema).toEqual({
      type: 'object',
      properties: {
        root: {
          type: 'object',
          properties: { left: { type: 'object' }, name: { type: 'string' } },
          description: 'The top.',
        },
      },
    });
    expect(changes.map(({ what }) => what)).toEqual(['reference-inlined', 'reference-cut', 'definitions-dropped']);
  });

  test.each(['https://example.com/schema.json', '#/$defs/none', 'other.json#/a', '#anchor'])(
    'to %s is never followed out of the schema',
    $ref => {
      for (const provider of Object.keys(MODEL_PROFILES)) {
        const { schema, changes } = fitSchema(taking({ $ref, description: 'Something.' }), rulesOf(provider));
        expect(JSON.stringify(schema)).not.toContain($ref);
        expect(changes).toContainEqual({ at: '/properties/a', what: 'reference-dropped', detail: $ref });
      }
    },
  );

  test('to ever more does not grow without end', () => {
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
    const all = Object.fromEntries(names.map(name => [name, { $ref: `#/$defs/${name}` }]));
    const schema = {
      type: 'object',
      properties: all,
      $defs: Object.fromEntries(names.map(name => [name, { properties: all }])),
    };
    const { schema: small } = fitSchema(schema, rulesOf('gemini'));
    expect(JSON.stringify(small).length).toBeLessThan(MAX_SCHEMA_BYTES);
    expect(judgeGemini(small)).toEqual([]);
  });
});
