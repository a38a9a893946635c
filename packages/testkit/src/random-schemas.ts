/** Schemas for property tests: whatever a server might write, valid or not, with every construct more often than in life. */
import fc from 'fast-check';

const name = fc.constantFrom(
  'a',
  'b',
  'kind',
  'list_of',
  '$filter',
  'user:name',
  '9lives',
  'x'.repeat(70),
  'é',
  '',
  'a\u200b',
);
const text = fc.constantFrom(
  'A text.',
  '',
  'Hidden\u202e.',
  'Longer, with "quotes" and\nlines.',
  'x'.repeat(1990),
  'x'.repeat(2100),
);
const value = fc.oneof(
  fc.constantFrom('one', 'two', '', 'h\u200b'),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
const reference = fc.constantFrom(
  '#',
  '#/$defs/d',
  '#/$defs/e',
  '#/definitions/d',
  '#/properties/a',
  '#/$defs/none',
  'https://example.com/s.json',
  '#anchor',
);

/** A few keywords each: all at once would grow beyond every bound. */
const { schema } = fc.letrec<{ schema: unknown; node: unknown }>(tie => {
  const inner = tie('schema');
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    title: text,
    description: text,
    properties: fc.dictionary(name, inner, { maxKeys: 3 }),
    required: fc.uniqueArray(name, { maxLength: 3 }),
    additionalProperties: inner,
    patternProperties: fc.dictionary(fc.constantFrom('^x', '.*'), inner, { maxKeys: 1 }),
    items: fc.oneof(inner, fc.array(inner, { maxLength: 2 })),
    prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
    anyOf: fc.array(inner, { minLength: 1, maxLength: 3 }),
    oneOf: fc.array(inner, { minLength: 1, maxLength: 3 }),
    allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
    not: inner,
    if: inner,
    enum: fc.array(value, { maxLength: 4 }),
    const: value,
    default: fc.oneof(value, fc.constant({ deep: ['h\0'] })),
    examples: fc.array(value, { maxLength: 2 }),
    format: fc.constantFrom('date-time', 'email', 'int64', 'double', 'x'.repeat(40)),
    pattern: fc.constantFrom('^a+$', '[bad'),
    minimum: fc.integer(),
    exclusiveMinimum: fc.oneof(fc.integer(), fc.boolean()),
    exclusiveMaximum: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
    minLength: fc.nat(),
    minItems: fc.nat(),
    uniqueItems: fc.boolean(),
    nullable: fc.boolean(),
    $ref: reference,
    $schema: fc.constant('http://json-schema.org/draft-07/schema#'),
    $defs: fc.dictionary(fc.constantFrom('d', 'e'), inner, { maxKeys: 2 }),
    definitions: fc.dictionary(fc.constantFrom('d'), inner, { maxKeys: 1 }),
  };
  const pair = fc.oneof(...Object.entries(keywords).map(([key, of]) => of.map(one => [key, one] as const)));
  const types = fc.oneof({ weight: 4, arbitrary: type }, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }));
  const typePair = types.map(one => ['type', one] as const);
  const parts = fc.oneof(
    fc.tuple(typePair, pair, pair),
    fc.tuple(typePair, pair),
    fc.tuple(pair, pair, pair),
    fc.tuple(pair),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.oneof(
        typePair.map(one => Object.fromEntries([one])),
        fc.boolean(),
      ),
      tie('node'),
    ),
    node: parts.map(all => Object.fromEntries(all as (readonly [string, unknown])[])),
  };
});

const objects = fc.record({
  more: fc.array(schema, { maxLength: 3 }),
  properties: fc.dictionary(name, schema, { maxKeys: 4 }),
});

/** Mostly schemas of objects; now and then something else. */
export const anySchema: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: objects.map(({ more, properties }) => ({
      ...Object.assign({}, ...more.filter(one => typeof one === 'object')),
      type: 'object',
      properties,
    })),
  },
  { weight: 1, arbitrary: schema },
  { weight: 1, arbitrary: fc.anything() },
);
