import { describe, expect, test } from 'vitest';
import { Refusal } from './answers.ts';
import { readForm } from './form.ts';
import { problemsOfForm, withDefaults } from './form-content.ts';

const form = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
});

describe('a form', () => {
  test.each([
    ['a text', { type: 'string', minLength: 2, format: 'email' }, { kind: 'text', minLength: 2, format: 'email' }],
    ['a text of an unknown format', { type: 'string', format: 'hostname' }, { kind: 'text' }],
    [
      'a number',
      { type: 'number', minimum: 0, maximum: 9.5, default: 1 },
      { kind: 'number', minimum: 0, maximum: 9.5, default: 1 },
    ],
    ['a whole number', { type: 'integer' }, { kind: 'integer' }],
    ['yes or no', { type: 'boolean', default: false }, { kind: 'boolean', default: false }],
    [
      'bare choices',
      { type: 'string', enum: ['a', 'b'], default: 'b' },
      {
        kind: 'choice',
        options: [
          { value: 'a', title: 'a' },
          { value: 'b', title: 'b' },
        ],
        default: 'b',
      },
    ],
    [
      'choices with titles',
      { type: 'string', oneOf: [{ const: 'a', title: 'Apple' }] },
      { kind: 'choice', options: [{ value: 'a', title: 'Apple' }] },
    ],
    [
      'choices with titles in the older way',
      { type: 'string', enum: ['a', 'b'], enumNames: ['Apple'] },
      {
        kind: 'choice',
        options: [
          { value: 'a', title: 'Apple' },
          { value: 'b', title: 'b' },
        ],
      },
    ],
    [
      'several bare choices',
      { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1, default: ['a'] },
      { kind: 'choices', options: [{ value: 'a', title: 'a' }], minItems: 1, default: ['a'] },
    ],
    [
      'several choices with titles',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'Apple' }] }, maxItems: 2 },
      { kind: 'choices', options: [{ value: 'a', title: 'Apple' }], maxItems: 2 },
    ],
  ])('reads %s', (_what, schema, field) => {
    expect(readForm(form({ x: { title: 'X', description: 'the x', ...schema } }, ['x']))).toEqual([
      { name: 'x', title: 'X', description: 'the x', required: true, ...field },
    ]);
  });

  test.each([
    ['no schema', undefined],
    ['a text', { type: 'string' }],
    ['an object in it', form({ x: { type: 'object' } })],
    ['a list of texts', form({ x: { type: 'array', items: { type: 'string' } } })],
    ['a choice without a value', form({ x: { type: 'string', oneOf: [{ title: 'a' }] } })],
    [
      'too many fields',
      form(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}`, { type: 'string' }]))),
    ],
  ])('is refused where it has %s', (_what, schema) => {
    expect(() => readForm(schema)).toThrow(Refusal);
  });

  const fields = readForm(
    form(
      {
        name: { type: 'string', minLength: 1, maxLength: 3 },
        mail: { type: 'string', format: 'email' },
        page: { type: 'string', format: 'uri' },
        day: { type: 'string', format: 'date' },
        at: { type: 'string', format: 'date-time' },
        age: { type: 'integer', minimum: 0, maximum: 150 },
        share: { type: 'number' },
        ok: { type: 'boolean' },
        one: { type: 'string', enum: ['a', 'b'] },
        some: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 },
      },
      ['name'],
    ),
  );

  test.each([
    [{ name: 'abc' }, []],
    [{ name: '𝒜𝒜𝒜' }, []],
    [{ name: 'abc', age: 0, share: 0.5, ok: false, one: 'b', some: ['a', 'c'] }, []],
    [{ name: 'a', mail: 'a@b', page: 'https://x.y/z', day: '2024-02-29', at: '2024-02-29T23:59:59.5+02:00' }, []],
    [{}, [`'name' is missing`]],
    [{ name: '' }, [`'name' is shorter than 1 characters`]],
    [{ name: 'abcd' }, [`'name' is longer than 3 characters`]],
    [{ name: 1 }, [`'name' is not a text`]],
    [{ name: 'a', mail: 'a b@c' }, [`'mail' is not an e-mail address`]],
    [{ name: 'a', page: 'x' }, [`'page' is not a URL`]],
    [{ name: 'a', day: '2026-02-30' }, [`'day' is not a date like 2026-07-28`]],
    [{ name: 'a', at: '2026-02-03' }, [`'at' is not a date and time like 2026-07-28T12:00:00Z`]],
    [{ name: 'a', age: 1.5 }, [`'age' is not a whole number`]],
    [{ name: 'a', age: -1 }, [`'age' is less than 0`]],
    [{ name: 'a', age: 151 }, [`'age' is more than 150`]],
    [{ name: 'a', share: Number.NaN }, [`'share' is not a number`]],
    [{ name: 'a', ok: 'yes' }, [`'ok' is neither true nor false`]],
    [{ name: 'a', one: 'c' }, [`'one' is none of the choices`]],
    [{ name: 'a', some: 'a' }, [`'some' is not a list`]],
    [{ name: 'a', some: ['d'] }, [`'some' has something in it that is none of the choices`]],
    [{ name: 'a', some: [] }, [`'some' has fewer than 1 choices`]],
    [{ name: 'a', some: ['a', 'b', 'c'] }, [`'some' has more than 2 choices`]],
    [{ name: 'a', password: 'x' }, [`'password' was not asked for`]],
    [{ name: 'a', toString: 'x' }, [`'toString' was not asked for`]],
  ])('%j has the problems %j', (content, problems) => {
    expect(problemsOfForm(fields, content as never)).toEqual(problems);
  });

  test('takes its own proposals for what is left out, but not over an answer', () => {
    const proposing = readForm(
      form({
        a: { type: 'string', default: 'x' },
        b: { type: 'integer', default: 3 },
        c: { type: 'boolean', default: true },
        d: { type: 'string', enum: ['p'], default: 'p' },
        e: { type: 'array', items: { type: 'string', enum: ['q'] }, default: ['q'] },
        f: { type: 'number' },
        unfit: { type: 'integer', default: 9, maximum: 3 },
      }),
    );
    expect(withDefaults(proposing, { c: false })).toEqual({ a: 'x', b: 3, c: false, d: 'p', e: ['q'] });
  });
});
