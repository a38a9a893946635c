import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('is the same text however keys were ordered, without what is undefined', () => {
  const one = { b: [1, 'x', null, { d: true, c: undefined }], a: { 'ä"': 0.5 }, z: undefined };
  const other = { a: { 'ä"': 0.5 }, b: [1, 'x', null, { d: true }] };
  expect(canonicalJson(one)).toBe('{"a":{"ä\\"":0.5},"b":[1,"x",null,{"d":true}]}');
  expect(canonicalJson(other)).toBe(canonicalJson(one));
});

test.each([
  [[], '[]'],
  [{}, '{}'],
  [undefined, 'null'],
  [[undefined, [[]]], '[null,[[]]]'],
  ['', '""'],
])('%j is %s', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});
