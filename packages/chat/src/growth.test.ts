/** What models and servers say in a chat is read and shown in time that grows like it. */
import { fasterThanText, type GrowthRow, times } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { startsOthers } from './native/started-programs.ts';
import { fitted, widthOf, wrapped } from './show/width.ts';
import { WordMask } from './word-mask.ts';

const signs = [' ', '\n', 'a', 'a ', '日', '\u200d👩', 'e\u0301', '\u001b[31m'].map(
  sign => (n: number) => times(sign, n),
);

const rows: Readonly<Record<string, GrowthRow>> = {
  widthOf: [widthOf, ...signs],
  fitted: [text => fitted(text, 80), ...signs],
  wrapped: [text => wrapped(text, 80), ...signs],
  startsOthers: [
    startsOthers,
    n => `git ${times('-', n)}`,
    n => `git ${times('-c ', n)}`,
    n => times('"', n),
    n => times(' ', n),
    n => `find ${times('a/', n)}`,
  ],
  WordMask: [
    text => {
      const words = new WordMask({ mask: one => one, unfinishedAt: one => one.length });
      for (let at = 0; at < text.length; at += 5) words.push(text.slice(at, at + 5));
      return words.rest();
    },
    n => times('a ', n),
    n => times(' ', n),
  ],
};

describe('the work of a chat grows like what it meets', () => {
  test.each(Object.entries(rows))('%s', (_name, row) => expect(fasterThanText(row)).toEqual([]));
});
