import { describe, expect, test } from 'vitest';
import { findAnswerId } from './answer-id.ts';
import { frameText } from './frame.ts';
import { Pieces } from './pieces.ts';

function gather(text: string, { each, maxBytes }: { each: number; maxBytes: number }): Pieces {
  const pieces = new Pieces(maxBytes);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += each) pieces.add(bytes.subarray(at, at + each));
  return pieces;
}

describe('pieces', () => {
  test('of single bytes are few, and nothing of them is lost', () => {
    const text = 'abcdefghij'.repeat(5000);
    const pieces = gather(text, { each: 1, maxBytes: 1_000_000 });
    expect([pieces.bytes, pieces.isTooLarge]).toEqual([50_000, false]);
    expect(pieces.frame.length).toBeLessThan(4200);
    expect(frameText(pieces.take())).toBe(text);
    expect([pieces.bytes, pieces.frame]).toEqual([0, []]);
  });

  const result = `"result":"${'x'.repeat(20_000)}"`;
  test.each([
    ['at its beginning', `{"jsonrpc":"2.0","id":41,${result}}`],
    ['at its end', `{${result},"jsonrpc":"2.0","id":41}`],
  ])('of what is too large tell whose answer it was, however small they are: its id stands %s', (_where, text) => {
    for (const each of [1, 7, 1000, 6001]) {
      const pieces = gather(text, { each, maxBytes: 8000 });
      expect([pieces.bytes, pieces.isTooLarge]).toEqual([text.length, true]);
      expect(findAnswerId(pieces.frame)?.id).toBe(41);
      expect(pieces.frame).toHaveLength(2);
      const [first, last] = pieces.frame as [Buffer, Buffer];
      expect(first.length + last.length).toBeLessThan(13_000);
    }
  });
});
