import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainOutcome } from './answer-shape.ts';

const check = (text: string) => plainOutcome([Buffer.from(text)]);

describe('plainOutcome', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":{"id":2,"method":"x"}}', 'result'],
    ['{"result":{"text":"\\",\\"id\\":5"},"jsonrpc":"2.0","id":1}', 'result'],
    ['{"id":5,"error":{"code":1}}', 'error'],
    ['{"id":5,"result":{},"id":12}', undefined],
    ['{"id":5,"result":{},"id":12,"x":{}}', undefined],
    ['{"id":5,"result":{},"method":"sampling/createMessage"}', undefined],
    ['{"id":5,"result":{},"error":{}}', undefined],
    ['{"result":{}}', undefined],
    ['{"id":5,"result":{}', undefined],
  ])('%s → %s', (text, expected) => {
    expect(check(text)).toBe(expected);
  });

  test('says yes to every answer, however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.nat({ max: 300 })), (result, cuts) => {
        const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 7, result }));
        const places = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        expect(plainOutcome(places.slice(1).map((end, index) => bytes.subarray(places[index], end)))).toBe('result');
      }),
      { numRuns: 500 },
    );
  });
});
