/** Lists tools as servers really have them, each of which some provider refuses; every call tells which tool it was. */
import { sayText, serveList } from '../../../packages/testkit/src/misbehaving/wire.ts';

const text = { type: 'string' };
const inner = (depth: number): object =>
  depth === 0 ? text : { type: 'object', properties: { inside: inner(depth - 1) } };

const SCHEMAS: Readonly<Record<string, unknown>> = {
  any_of_at_root: {
    anyOf: [
      { type: 'object', properties: { path: text }, required: ['path'] },
      { type: 'object', properties: { url: text } },
    ],
  },
  all_of_at_root: { type: 'object', properties: { a: text }, allOf: [{ required: ['a'] }], if: {}, else: {} },
  one_of_at_root: { type: 'object', oneOf: [{ properties: { a: text } }, { properties: { b: { type: 'number' } } }] },
  enum_at_root: { type: 'object', enum: [{}], not: { required: ['x'] } },
  no_type: { properties: { a: {} } },
  no_items: { type: 'object', properties: { list: { type: 'array' }, maybe: { type: ['array', 'null'] } } },
  tuple: { type: 'object', properties: { pair: { type: 'array', items: [text, { type: 'number' }] } } },
  prefix: { type: 'object', properties: { pair: { type: 'array', prefixItems: [text, text], items: false } } },
  definitions: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { who: { $ref: '#/definitions/person' }, me: { $ref: '#/definitions/person', description: 'Me.' } },
    definitions: { person: { type: 'object', properties: { name: text, friend: { $ref: '#/definitions/person' } } } },
  },
  outside: { type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' }, b: { $ref: '#/nowhere' } } },
  many_types: {
    type: 'object',
    properties: { a: { type: ['string', 'number', 'null'] }, b: { nullable: true, ...text } },
  },
  numbers: { type: 'object', properties: { level: { type: 'integer', enum: [1, 2, 3] }, only: { const: 7 } } },
  strange_names: {
    type: 'object',
    properties: { $filter: text, 'two words': text, ünï: text, ['x'.repeat(90)]: text },
  },
  bounds: { type: 'object', properties: { n: { type: 'number', exclusiveMinimum: 0, maximum: 9, multipleOf: 0.5 } } },
  formats: { type: 'object', properties: { at: { type: 'string', format: 'uri-reference' }, n: { format: 'int64' } } },
  deep: { type: 'object', properties: { root: inner(40) } },
  large: { type: 'object', properties: { a: { ...text, description: 'long '.repeat(20_000) } } },
  not_strict: {
    type: 'object',
    properties: { a: text, b: text },
    required: ['a'],
    additionalProperties: { type: 'string' },
  },
  empty_enum: { type: 'object', properties: { a: { type: 'string', enum: [] }, b: { type: 'string', enum: [''] } } },
  true_schema: { type: 'object', properties: { a: true, b: false } },
};

const tools = [
  ...Object.entries(SCHEMAS).map(([name, inputSchema]) => ({ name, description: `Takes ${name}.`, inputSchema })),
  { name: 'no_description', inputSchema: { type: 'object' } },
  { name: 'long_description', description: 'x'.repeat(5000), inputSchema: { type: 'object' } },
  { name: `long_name_${'y'.repeat(110)}`, description: 'A long name.', inputSchema: { type: 'object' } },
  { name: `long_name_${'y'.repeat(111)}`, description: 'Another.', inputSchema: { type: 'object' } },
  { name: 'with.dot', description: 'A dot.', inputSchema: { type: 'object' } },
  { name: 'with-dash', description: 'A dash.', inputSchema: { type: 'object' } },
];

serveList(
  ({ id }) => ({ id, result: { tools } }),
  ({ id, params }) => sayText(id, `called ${params?.name}`),
);
