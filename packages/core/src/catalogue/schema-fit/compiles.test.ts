import { anySchema } from '@junctor/testkit/random';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { compiles } from './compiles.ts';
import { fitSchema } from './fit-schema.ts';

/** As the official client compiles the schema of a tool's results while it lists tools. */
function whyNot(schema: object): unknown {
  try {
    new AjvJsonSchemaValidator().getValidator(schema as never);
    return undefined;
  } catch (error) {
    return error;
  }
}

test('whatever passes compiles in the official client', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {}); // of formats that it does not know
  let passed = 0;
  fc.assert(
    fc.property(anySchema, given => {
      const { schema } = fitSchema(given);
      if (!compiles(schema)) return;
      passed++;
      expect(whyNot(schema)).toBeUndefined();
    }),
    { numRuns: 1000 },
  );
  expect(passed).toBeGreaterThan(100);
});

test.each([
  ['a property', { properties: { a: { $ref: '#/properties/b' }, b: { type: 'string' } } }],
  ['itself', { properties: { a: { $ref: '#' } } }],
  ['a definition', { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { pattern: '^\\p{L}+$' } } }],
  ['a definition of an old draft', { items: [{ $ref: '#/definitions/A' }], definitions: { A: true } }],
  ['a name in brackets', { properties: { a: { $ref: '#/$defs/List%3CA%3E' } }, $defs: { 'List<A>': {} } }],
  ['a name with a slash', { properties: { a: { $ref: '#/$defs/a~1b' } }, $defs: { 'a/b': {} } }],
  ['what has a name', { $id: 'https://example.com/a', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: {} } }],
  ['nothing', { $schema: 'https://json-schema.org/draft/2020-12/schema', enum: [{}], minimum: 1, nullable: true }],
])('a schema that refers to %s passes', (_what, more) => {
  const schema = { type: 'object', ...more };
  expect([compiles(schema), whyNot(schema)]).toEqual([true, undefined]);
});
