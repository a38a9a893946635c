import { describe, expect, test } from 'vitest';
import { isToolError } from './answer-seen.ts';

const seen = (...texts: string[]) => {
  const pieces = texts.map(text => Buffer.from(text));
  return { pieces, bytes: pieces.reduce((sum, { length }) => sum + length, 0), code: undefined };
};

describe('whether a tool says that it failed', () => {
  test('is seen from outside, wherever it says so', () => {
    const long = `"${'x'.repeat(100_000)}"`;
    const rows: [boolean, string[]][] = [
      [true, ['{"result":{"content":[],"isError":true}}']],
      [true, ['{"result":{"isError" : true,"content":[]}}']],
      [true, ['{"id":1,', '"result":{"content":[],"isError":true}}']],
      [true, [`{"result":{"content":[${long}],"isError":true}}`]],
      [true, [`{"result":{"isError":true,"content":[${long}]}}`]],
      [false, ['{"result":{"content":[],"isError":false}}']],
      [false, ['{"result":{"content":[{"type":"text","text":"\\"isError\\":true"}]}}']],
      [false, ['{"result":{"content":[]}}']],
      [false, [`{"result":{"content":[${long}]}}`]],
    ];
    for (const [failed, texts] of rows)
      expect([texts[0]?.slice(0, 60), isToolError(seen(...texts))]).toEqual([texts[0]?.slice(0, 60), failed]);
  });
});
