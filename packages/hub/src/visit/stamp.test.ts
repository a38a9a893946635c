import { describe, expect, test } from 'vitest';
import { complete, stamped, stampFor } from './stamp.ts';

const inPieces = (text: string, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    Buffer.from(text.slice(index * size, (index + 1) * size)),
  );
const stamp = stampFor('tools/call');

describe('an answer of an older server gets what a newer client needs', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":{"a":1}}', '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","a":1}}'],
    ['{"result":{},"jsonrpc":"2.0","id":1}', '{"result":{"resultType":"complete"},"jsonrpc":"2.0","id":1}'],
    ['{"id":1, "result" : { "a":1 }}', '{"id":1, "result" : {"resultType":"complete", "a":1 }}'],
    [
      String.raw`{"id":"\"result\":{","result":{"a":1}}`,
      String.raw`{"id":"\"result\":{","result":{"resultType":"complete","a":1}}`,
    ],
  ])('%s', (given, wanted) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const written = stamped(inPieces(given, size), stamp);
      expect(Buffer.concat(written ?? []).toString()).toBe(wanted);
    }
  });

  test('but for what is no result', () => {
    expect(stamped([Buffer.from('{"id":1,"error":{"code":-1,"message":"no"}}')], stamp)).toBeUndefined();
    expect(stamped([Buffer.from(`{"id":"${'x'.repeat(600)}","result":{}}`)], stamp)).toBeUndefined();
  });
});

test('lists made here say how long they may be kept', () => {
  expect(JSON.parse(complete('tools/list', { tools: [] }))).toEqual({
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    tools: [],
  });
  expect(complete('tools/call', {})).toBe('{"resultType":"complete"}');
});
