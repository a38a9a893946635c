import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SchemaRules } from '../../config/profile-schema.ts';
import { MODEL_PROFILES } from '../profiles/built-in.ts';
import { findModel } from '../profiles/find-profile.ts';
import { anySchema } from './any-schema.ts';
import { describeChange, isLossy } from './change.ts';
import { fitSchema } from './fit-schema.ts';
import type { Complaint } from './judges/complaint.ts';
import { JUDGES, lintSchema } from './judges/judge.ts';
import { judgeOpenAiStrict } from './judges/openai-strict.ts';
import { ANY_ARGUMENTS, MAX_SCHEMA_BYTES } from './limits.ts';

const PROVIDERS = Object.keys(MODEL_PROFILES);
const rulesOf = (provider: string): SchemaRules => findModel(provider).profile.schema as SchemaRules;

/** What is read by any model is read by each. */
function verdict(provider: string, schema: unknown): Complaint[] {
  const judges = provider === 'default' ? Object.values(JUDGES) : [JUDGES[provider]];
  return judges.flatMap(judge => judge?.(schema) ?? [{ at: '', says: 'nobody judges this provider' }]);
}

/** An object with one property. */
const taking = (schema: unknown) => ({ type: 'object', properties: { a: schema } });
const fitted = (schema: unknown, provider: string) => {
  const { properties } = fitSchema(taking(schema), rulesOf(provider)).schema;
  return (properties as Record<string, unknown> | undefined)?.a;
};

describe.each(PROVIDERS)('for %s', provider => {
  const rules = rulesOf(provider);

  test('whatever a server writes becomes a schema that the provider takes, once and for all', () => {
    fc.assert(
      fc.property(anySchema, schema => {
        const fit = fitSchema(schema, rules);
        expect(verdict(provider, fit.schema)).toEqual([]);
        if (fit.strict) expect(judgeOpenAiStrict(fit.schema)).toEqual([]);
        expect(fitSchema(fit.schema, rules)).toEqual({ ...fit, changes: [] });
      }),
      { numRuns: 300 },
    );
  });

  test('the tools of real servers are taken', () => {
    for (const { server, tools } of SAMPLES) {
      for (const { name, inputSchema } of tools) {
        const { schema } = fitSchema(inputSchema, rules);
        expect({ server, name, complaints: verdict(provider, schema) }).toEqual({ server, name, complaints: [] });
      }
    }
  });
});

interface Sample {
  readonly server: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema: unknown }[];
}

/** What servers from npm list, as they listed it: the first line says which, the others have a tool each. */
const SAMPLES: readonly Sample[] = globSync(join(import.meta.dirname, 'samples', '*.jsonl')).map(file => {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return { server: basename(file, '.jsonl'), tools: lines.map(line => JSON.parse(line)) };
});

test('the real servers are many, and what they list is not what every provider takes', () => {
  expect(SAMPLES.length).toBeGreaterThanOrEqual(12);
  const refusedBy = new Set(
    SAMPLES.flatMap(({ tools }) =>
      tools.flatMap(({ inputSchema }) => lintSchema(inputSchema).map(({ provider }) => provider)),
    ),
  );
  expect([...refusedBy].sort()).toEqual(Object.keys(JUDGES).sort());
});

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
      for (const provider of PROVIDERS) {
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
    expect(verdict('gemini', small)).toEqual([]);
  });
});

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
