import { Redactor } from '@junctor/core/light';
import { expect, test } from 'vitest';
import { WordMask } from './word-mask.ts';

const SECRETS = ['s3cret', 'two words-1', 'two words-1 and-more', 'ends in a word'];
const TEXT = 'a s3cret, two words-1! two words-1 and-more; ends in a word. two wor';
const SHOWN = 'a •••, •••! •••; •••. two wor';

function masked(pieces: readonly string[]): string {
  const redactor = new Redactor();
  for (const secret of SECRETS) redactor.learn(secret);
  const words = new WordMask({
    mask: text => redactor.maskKnown(text),
    unfinishedAt: text => redactor.unfinishedAt(text),
  });
  return pieces.map(piece => words.push(piece)).join('') + words.rest();
}

test('a secret is masked wherever the text is cut', () => {
  expect(masked([TEXT])).toBe(SHOWN);
  expect(masked([...TEXT])).toBe(SHOWN);
  expect(masked(TEXT.split(/(?<= )/))).toBe(SHOWN);
  for (let at = 0; at < TEXT.length; at++) expect(masked([TEXT.slice(0, at), TEXT.slice(at)])).toBe(SHOWN);
});

test('a text without secrets flows word by word, and one without spaces flows too', () => {
  const words = new WordMask({ mask: text => text, unfinishedAt: text => text.length });
  expect(['one ', 'two', ' th'].map(piece => words.push(piece))).toEqual(['one ', '', 'two ']);
  expect(words.push('x'.repeat(10_000)).length).toBeGreaterThan(9000);
});
