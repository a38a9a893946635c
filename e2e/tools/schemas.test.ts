import { makeHome, promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { JUDGES } from '../../packages/core/src/catalogue/schema-fit/judges/judge.ts';
import { hostListing, type Listed, tool } from './listing.ts';

const schemaOf = (name: string, inputSchema: unknown): Listed => ({ name, inputSchema });

/** Exactly so many bytes as JSON. */
function schemaOfBytes(bytes: number): object {
  const empty = { type: 'object', properties: { a: { const: '' } } };
  return { type: 'object', properties: { a: { const: 'x'.repeat(bytes - JSON.stringify(empty).length) } } };
}

const ANY = { type: 'object', additionalProperties: true };

describe('the schema of a tool', () => {
  promise('3.3a', 'becomes the parameters that are offered', async () => {
    await using home = await makeHome();
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where.', minLength: 1 },
        mode: { enum: ['read', 'write'], default: 'read' },
        range: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'integer' }], items: false },
      },
      required: ['path'],
      additionalProperties: false,
    };
    await using host = await hostListing(home, { s: [schemaOf('t', inputSchema)] });
    for (const view of [{}, { model: 'anthropic' }, { client: 'claude-code' }]) {
      const [entry] = await host.tools(view);
      expect([view, entry?.offered.inputSchema]).toEqual([view, inputSchema]);
      expect(entry?.fit.changes).toEqual([]);
    }
  });

  promise('3.3b', 'that is missing, invalid or larger than 64 KiB takes any arguments', async () => {
    await using home = await makeHome();
    const bad: Record<string, unknown> = {
      missing: undefined,
      empty: null,
      text: 'object',
      list: [],
      no_object: { type: 'array' },
      no_type: { type: 'object', properties: { a: { type: 'text' } } },
      no_schema: { type: 'object', properties: { a: 'string' } },
      bad_required: { type: 'object', required: 'a' },
      large: schemaOfBytes(64 * 1024 + 1),
    };
    const good = { largest: schemaOfBytes(64 * 1024), no_types: { properties: { a: {} } } };
    const tools = Object.entries({ ...bad, ...good }).map(([name, schema]) => schemaOf(name, schema));
    await using host = await hostListing(home, { s: tools });
    const offered = Object.fromEntries((await host.tools()).map(entry => [entry.tool, entry.offered.inputSchema]));
    expect(offered).toEqual({
      ...Object.fromEntries(Object.keys(bad).map(name => [name, ANY])),
      largest: good.largest,
      no_types: { type: 'object', ...good.no_types },
    });
    // One bad schema costs nobody the tool: it can still be called.
    expect((await host.call('mcp__s__large', { a: 1 })).output).toBe('["large",{"a":1}]');
  });

  promise('3.3c', 'is adapted to what the provider understands', async () => {
    await using home = await makeHome();
    const inputSchema = {
      type: 'object',
      properties: {
        id: { $ref: '#/$defs/id' },
        since: { type: ['string', 'null'], format: 'date' },
        tags: { type: 'array' },
        kind: { const: 'x' },
      },
      required: ['id'],
      oneOf: [{ required: ['since'] }, { required: ['tags'] }],
      $defs: { id: { type: 'integer', exclusiveMinimum: 0 } },
    };
    await using host = await hostListing(home, { s: [schemaOf('t', inputSchema)] });
    const offered = async (model: string) => (await host.tools({ model }))[0]?.offered.inputSchema;
    const needs = 'Needs one of these: since; or tags.';
    const { oneOf: _, ...flat } = inputSchema;
    expect(await offered('anthropic')).toEqual({ ...flat, description: needs });
    expect(await offered('openai')).toEqual({
      ...flat,
      properties: { ...flat.properties, tags: { type: 'array', items: {} } },
      description: needs,
    });
    expect(await offered('gemini')).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1 },
        since: { type: 'string', nullable: true, description: 'Format: date.' },
        tags: { type: 'array', items: { anyOf: ['string', 'number', 'boolean', 'object'].map(type => ({ type })) } },
        kind: { type: 'string', enum: ['x'] },
      },
      required: ['id'],
      description: needs,
    });
    for (const [model, judge] of Object.entries(JUDGES)) {
      expect([model, judge(inputSchema).length > 0, judge(await offered(model))]).toEqual([model, true, []]);
    }
  });

  test('of its results costs nobody the list where it is none of an object', async () => {
    await using home = await makeHome();
    const fine = { type: 'object', properties: { n: { type: 'number' } } };
    const tools = [tool('fine', { outputSchema: fine }), tool('odd', { outputSchema: { oneOf: [{}] } })];
    await using host = await hostListing(home, { s: tools });
    const [one, other] = await host.tools();
    expect([one?.offered.outputSchema, other?.offered.outputSchema]).toEqual([fine, undefined]);
    expect(other?.fit.changes).toEqual([{ at: '', what: 'output-schema-dropped' }]);
  });
});
