import { expect, test } from 'vitest';
import { isPlainFrame } from './plain-frame.ts';

const answer = (text: string, filler: number): Buffer =>
  Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${text}${'x'.repeat(filler)}"}]}}`);

test.each([0, 10_000])('an answer with %i more characters is plain where nothing in it needs a look', filler => {
  for (const text of ['', 'plain', 'a\\nb\\tc\\r\\"d\\\\'])
    expect([text, isPlainFrame([answer(text, filler)])]).toEqual([text, true]);
  for (const text of ['é', '\u200b', '\\u200b', '\u007f', '\\b', '\\f', '"resource'])
    expect([text, isPlainFrame([answer(text, filler)])]).toEqual([text, false]);
});

test('what stands across two pieces is found', () => {
  const whole = answer('\\u200b', 0);
  for (let at = 1; at < whole.length; at++)
    expect(isPlainFrame([whole.subarray(0, at), whole.subarray(at)])).toBe(false);
});
