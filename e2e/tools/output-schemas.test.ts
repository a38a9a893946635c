/** Structured output is compared with the output schema of its tool: a warning, a failure, or nothing, as the config says. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, type Host, type HostOptions, modelText, type ToolResult } from '@junctor/core';
import { misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { afterAll, expect, test } from 'vitest';
import { text } from './answering.ts';

const WEATHER = {
  type: 'object',
  properties: {
    temp: { type: 'number' },
    days: { type: 'array', items: { enum: ['mon', 'tue'] } },
    place: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
    near: { $ref: '#' },
  },
  required: ['temp'],
  additionalProperties: false,
};

const folder = mkdtempSync(join(tmpdir(), 'schemas-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

type Mode = 'warn' | 'strict' | 'off';

/** A host with tools that declare these schemas, and answer what they are told to. */
function declaringHost(schemas: object, mode?: Mode, options: HostOptions = {}): Promise<Host> {
  const file = join(folder, `${files++}.json`);
  writeFileSync(file, JSON.stringify(schemas));
  const servers = { any: trusted(misbehaving('answers-anything', file)) };
  const results = mode === undefined ? {} : { validate_output: mode };
  return createHost({ config: { version: 1, servers, results }, ...options });
}

function answered(host: Host, structuredContent: unknown, { tool = 'weather', ...more } = {}): Promise<ToolResult> {
  const result = { content: [text('said')], structuredContent, ...more };
  return host.call(`mcp__any__${tool}`, { result });
}

const sentence = (why: string): string =>
  `The structured output of 'weather' on server 'any' does not fit its output schema: ${why}.`;

promise('11.8a', 'output that breaks its schema has a warning, and the log says so once for each tool', async () => {
  const lines: string[] = [];
  const log = { level: 'warn', write: (line: string) => void lines.push(line) } as const;
  await using host = await declaringHost({ weather: WEATHER }, undefined, { log });
  expect(await answered(host, { temp: 21.5, days: ['mon'] })).not.toHaveProperty('warnings');
  const hot = await answered(host, { temp: 'hot' });
  const warnings = [sentence('$.temp must be a number and is a string')];
  expect(hot).toMatchObject({ success: true, output: 'said', data: { temp: 'hot' }, warnings });
  expect(modelText(hot)).not.toContain('output schema');
  await answered(host, { temp: 'cold' });
  expect(lines.filter(line => line.includes('does not fit the output schema'))).toHaveLength(1);
  expect(await answered(host, undefined)).not.toHaveProperty('warnings');
});

promise('11.8b', 'strict makes output that breaks its schema, or is missing, a failure with a code', async () => {
  await using host = await declaringHost({ weather: WEATHER }, 'strict');
  const broken: readonly [unknown, string][] = [
    [{ temp: 'hot' }, '$.temp must be a number and is a string'],
    [{ days: [] }, "$ must have 'temp'"],
    [{ temp: 1, wind: 2 }, "$ must not have 'wind'"],
    [{ temp: 1, days: ['mon', 'sun'] }, '$.days[1] must be one of the 2 values that the schema names'],
    [{ temp: 1, place: 5 }, '$.place must be a string or be null and is a number'],
    [{ temp: 1, near: { temp: 2, near: {} } }, "$.near.near must have 'temp'"],
    [[], '$ must be an object and is a list'],
    [undefined, 'there is none'],
  ];
  const ended: (string | undefined)[] = [];
  host.events.on('tool-call-end', ({ result }) => ended.push(result.code));
  for (const [output, why] of broken) {
    const said = sentence(why);
    const parts = [text(said)];
    const code = 'malformed_response';
    expect(await answered(host, output)).toEqual({ success: false, code, output: said, error: said, parts });
  }
  expect(ended).toEqual(broken.map(() => 'malformed_response'));
  const fine = { temp: 1, place: '🌧️', near: { temp: 2, place: null } };
  expect(await answered(host, fine)).toMatchObject({ success: true, data: fine });
  expect(await answered(host, undefined, { isError: true } as object)).toMatchObject({ success: false, error: 'said' });
});

test('strict lists the tools of a server that was called without, and off compares nothing', async () => {
  await using strict = await declaringHost({ weather: WEATHER }, 'strict');
  const call = { result: { structuredContent: { temp: 'hot' } } };
  expect(await strict.call({ server: 'any', tool: 'weather' }, call)).toMatchObject({ code: 'malformed_response' });
  await using off = await declaringHost({ weather: WEATHER }, 'off');
  const result = await answered(off, { temp: 'hot' });
  expect(result).toEqual({ success: true, output: 'said', data: { temp: 'hot' }, parts: [text('said')] });
});

promise('11.8c', 'no schema of a server runs a pattern, works without end or fails what nobody can judge', async () => {
  const long = `${'a'.repeat(50_000)}!`;
  const twice = { anyOf: [{ $ref: '#/$defs/twice' }, { $ref: '#/$defs/twice' }] };
  let deep: object = { required: ['b'] };
  for (let level = 0; level < 150; level++) deep = { allOf: [deep] };
  const unjudged: Readonly<Record<string, readonly [object, unknown]>> = {
    pattern: [{ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }, { a: long }],
    names: [{ type: 'object', patternProperties: { '^(a+)+$': true }, additionalProperties: false }, { [long]: 1 }],
    negated: [{ type: 'object', not: { properties: { a: { pattern: 'b' } } } }, { a: 'a' }],
    circle: [{ type: 'object', $defs: { twice }, $ref: '#/$defs/twice' }, { a: 1 }],
    foreign: [{ type: 'object', $ref: 'https://example.com/schema.json' }, { a: 1 }],
    untyped: [{ type: 'nothing' }, { a: 1 }],
    many: [{ properties: { a: { uniqueItems: true } } }, { a: new Array(600_000).fill(1) }],
    large: [{ type: 'object', description: 'x'.repeat(300_000), required: ['b'] }, { a: 1 }],
    deep: [deep, { a: 1 }],
  };
  const schemas = Object.fromEntries(Object.entries(unjudged).map(([tool, [schema]]) => [tool, schema]));
  await using host = await declaringHost(schemas, 'strict');
  for (const [tool, [, output]] of Object.entries(unjudged))
    expect((await answered(host, output, { tool })).error, tool).toBeUndefined();
});

test('the output of an ordinary tool fits in every mode', async () => {
  for (const validate_output of ['warn', 'strict'] as const) {
    const servers = { demo: trusted(testServer()) };
    await using host = await createHost({ config: { version: 1, servers, results: { validate_output } } });
    const result = await host.call('mcp__demo__json_response');
    expect(result).toMatchObject({ success: true, data: { ok: true, items: [1, 2, 3] } });
    expect(result).not.toHaveProperty('warnings');
  }
});
