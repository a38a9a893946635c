import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPlainAnswer } from './answer-shape.ts';

const check = (text: string) => isPlainAnswer([Buffer.from(text)]);

describe('isPlainAnswer', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":{"id":2,"method":"x"}}', true],
    ['{"result":{"text":"\\",\\"id\\":5"},"jsonrpc":"2.0","id":1}', true],
    ['{"id":5,"error":{"code":1}}', true],
    ['{"id":5,"result":{},"id":12}', false],
    ['{"id":5,"result":{},"id":12,"x":{}}', false],
    ['{"id":5,"result":{},"method":"sampling/createMessage"}', false],
    ['{"id":5,"result":{},"error":{}}', false],
    ['{"result":{}}', false],
    ['{"id":5,"result":{}', false],
  ])('%s → %s', (text, expected) => {
    expect(check(text)).toBe(expected);
  });

  test('says yes to every answer, however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.nat({ max: 300 })), (result, cuts) => {
        const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 7, result }));
        const places = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        expect(isPlainAnswer(places.slice(1).map((end, index) => bytes.subarray(places[index], end)))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
