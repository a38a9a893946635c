import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameText } from './frame.ts';
import { plainAnswer } from './plain-answer.ts';
import type { AnswerMessage } from './waits.ts';

const inPieces = (text: string, cut: number): Buffer[] => {
  const bytes = Buffer.from(text);
  const at = Math.min(cut, bytes.length);
  return [bytes.subarray(0, at), bytes.subarray(at)];
};

test.each([
  ['{"x":[1,{"id":3}],"jsonrpc":"2.0","id":7,"result": {"n": 1.0} }', '"result":{"n": 1.0}'],
  ['{"\\u0069d":7,"re\\u0073ult":"a\\\\\\"b"}', '"result":"a\\\\\\"b"'],
  ['{"id":7,"result":{},"result":-1.50e3}', '"result":-1.50e3'],
  ['{"id":7,"result":{},"error":{"code":1}}', '"error":{"code":1}'],
  ['\ufeff{"id":7,"error":null,"result":true}', '"result":true'],
])('%s keeps the bytes of its outcome', (text, wanted) => {
  const message = JSON.parse(text.replace('\ufeff', '')) as AnswerMessage;
  for (let cut = 0; cut < text.length; cut++)
    expect(frameText(plainAnswer(inPieces(text, cut), message)?.frame ?? [])).toBe(
      `{"jsonrpc":"2.0","id":7,${wanted}}`,
    );
});

test('the answer at a place of a batch is found, however it is written', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 4 }),
      fc.nat({ max: 4 }),
      fc.nat({ max: 300 }),
      (results, spaces, cut) => {
        const batch = results.map((result, id) => ({ extra: result, id, result }));
        const text = JSON.stringify(batch, null, spaces);
        for (const [index, message] of batch.entries()) {
          const plain = plainAnswer(inPieces(text, cut), message as AnswerMessage, index);
          expect(JSON.parse(frameText(plain?.frame ?? []))).toEqual(
            JSON.parse(JSON.stringify({ jsonrpc: '2.0', id: index, result: message.result })),
          );
          const { piece, start, end } = plain?.at ?? { piece: 0, start: 0, end: 0 };
          expect(plain?.frame[piece]?.toString('latin1', start, end)).toBe(String(index));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('what holds neither a result nor an error is no answer', () => {
  expect(plainAnswer([Buffer.from('{"id":7,"error":null}')], { id: 7, error: null } as never)).toBeUndefined();
});
