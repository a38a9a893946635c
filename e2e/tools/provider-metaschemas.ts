/**
 * What providers take as the parameters of a tool, written as JSON Schemas of schemas and held by a validator of its own. Made
 * from the pages of the providers and not from our profiles or judges, so that one slip is not made twice.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type ProviderRules = 'anthropic' | 'openai' | 'openai strict' | 'gemini';

/** What the provider would not take; empty where it takes all of it. */
export function refusals(rules: ProviderRules, schema: unknown): string[] {
  const found = [...complaints(RULES[rules], schema), ...(rules === 'gemini' ? [] : complaints(draft, schema))];
  return found.length > 0 || rules === 'gemini' ? found : unresolved(schema);
}

function complaints(judge: ValidateFunction, schema: unknown): string[] {
  if (judge(schema)) return [];
  return (judge.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath || '/', message, JSON.stringify(params)].join(' '),
  );
}

/** A schema that is well formed can still refer to what is not there. */
function unresolved(schema: unknown): string[] {
  try {
    new Ajv2020({ strict: false, validateFormats: false, validateSchema: false }).compile(withoutIds(schema));
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** The dialect a schema names is not what it is read as. */
function withoutIds(schema: unknown): object {
  const { $schema: _, ...rest } = schema as Record<string, unknown>;
  return rest;
}

const JSON_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** Every place in a schema where another stands, held against the same rules. */
const inside = {
  properties: { type: 'object', additionalProperties: { $ref: '#/$defs/node' } },
  patternProperties: { type: 'object', additionalProperties: { $ref: '#/$defs/node' } },
  $defs: { type: 'object', additionalProperties: { $ref: '#/$defs/node' } },
  definitions: { type: 'object', additionalProperties: { $ref: '#/$defs/node' } },
  items: { $ref: '#/$defs/node' },
  additionalProperties: { $ref: '#/$defs/node' },
  not: { $ref: '#/$defs/node' },
  prefixItems: { type: 'array', items: { $ref: '#/$defs/node' } },
  anyOf: { type: 'array', minItems: 1, items: { $ref: '#/$defs/node' } },
  oneOf: { type: 'array', minItems: 1, items: { $ref: '#/$defs/node' } },
  allOf: { type: 'array', minItems: 1, items: { $ref: '#/$defs/node' } },
};

const without = (...keys: string[]) => Object.fromEntries(keys.map(key => [key, false]));
const isOf = (type: string) => ({
  required: ['type'],
  properties: { type: { anyOf: [{ const: type }, { type: 'array', contains: { const: type } }] } },
});

const anthropic = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { const: 'object' },
    ...without('anyOf', 'oneOf', 'allOf'),
    properties: { type: 'object', propertyNames: { pattern: '^[a-zA-Z0-9_.-]{1,64}$' } },
  },
};

const openai = {
  $ref: '#/$defs/node',
  required: ['type'],
  properties: { type: { const: 'object' }, ...without('anyOf', 'oneOf', 'allOf', 'enum', 'not') },
  $defs: {
    node: {
      type: ['object', 'boolean'],
      if: { type: 'object', ...isOf('array') },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ['items'] },
      properties: { ...inside, enum: { type: 'array', minItems: 1 } },
    },
  },
};

const CLOSED = { required: ['additionalProperties'], properties: { additionalProperties: { const: false } } };

const openaiStrict = {
  $ref: '#/$defs/node',
  ...CLOSED,
  required: ['type', 'properties', 'required', 'additionalProperties'],
  properties: { type: { const: 'object' }, anyOf: false },
  $defs: {
    node: {
      type: 'object',
      requiresAll: true,
      anyOf: ['type', '$ref', 'anyOf', 'enum', 'const'].map(key => ({ required: [key] })),
      if: isOf('object'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: CLOSED,
      additionalProperties: false,
      properties: {
        ...Object.fromEntries(
          ['properties', '$defs', 'definitions', 'items', 'anyOf'].map(key => [
            key,
            inside[key as keyof typeof inside],
          ]),
        ),
        additionalProperties: { const: false },
        type: true,
        required: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        enum: { type: 'array', minItems: 1, maxItems: 1000 },
        format: {
          enum: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
        },
        ...Object.fromEntries(
          [
            ...['const', '$ref', '$schema', 'title', 'description', 'pattern', 'multipleOf', 'minimum', 'maximum'],
            ...['exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
          ].map(key => [key, true]),
        ),
      },
    },
  },
};

/** The message `Schema` of the API: whatever is no field of it is an unknown name. */
const gemini = {
  $ref: '#/$defs/node',
  required: ['type'],
  properties: { type: { const: 'object' } },
  $defs: {
    count: { type: 'integer', minimum: 0 },
    node: {
      type: 'object',
      additionalProperties: false,
      // Either alternatives and nothing else, or a type.
      if: { required: ['anyOf'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { maxProperties: 1 },
      else: { required: ['type'] },
      dependentSchemas: {
        properties: isOf('object'),
        required: isOf('object'),
        items: isOf('array'),
        enum: isOf('string'),
        pattern: isOf('string'),
      },
      allOf: [
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        { if: isOf('array'), then: { required: ['items'] } },
        {
          if: { ...isOf('string'), required: ['format'] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
          then: { properties: { format: { enum: ['enum', 'date-time'] } } },
        },
      ],
      requiresOnlyKnown: true,
      properties: {
        type: { enum: JSON_TYPES.filter(type => type !== 'null') },
        properties: {
          ...inside.properties,
          minProperties: 1,
          propertyNames: { pattern: '^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$' },
        },
        required: { type: 'array', items: { type: 'string' } },
        items: inside.items,
        anyOf: inside.anyOf,
        enum: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
        nullable: { type: 'boolean' },
        ...Object.fromEntries(
          ['maxItems', 'minItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength'].map(key => [
            key,
            { $ref: '#/$defs/count' },
          ]),
        ),
        minimum: { type: 'number' },
        maximum: { type: 'number' },
        ...Object.fromEntries(['title', 'description', 'format', 'pattern'].map(key => [key, { type: 'string' }])),
        propertyOrdering: { type: 'array', items: { type: 'string' } },
        default: true,
        example: true,
      },
    },
  },
};

interface ObjectNode {
  readonly properties?: object;
  readonly required?: readonly string[];
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addKeyword({
  keyword: 'requiresAll',
  validate: (_: unknown, { properties = {}, required = [] }: ObjectNode) =>
    Object.keys(properties).every(name => required.includes(name)) &&
    required.every(name => Object.hasOwn(properties, name)),
});
ajv.addKeyword({
  keyword: 'requiresOnlyKnown',
  validate: (_: unknown, { properties = {}, required = [] }: ObjectNode) =>
    required.every(name => Object.hasOwn(properties, name)),
});

const draft = ajv.getSchema('https://json-schema.org/draft/2020-12/schema') as ValidateFunction;
const RULES: Readonly<Record<ProviderRules, ValidateFunction>> = {
  anthropic: ajv.compile(anthropic),
  openai: ajv.compile(openai),
  'openai strict': ajv.compile(openaiStrict),
  gemini: ajv.compile(gemini),
};
