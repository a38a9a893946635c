/** What nobody sees is the same for every surface: terminal, log, person who decides, model and page. */
import { describe, expect, test } from 'vitest';
import { plainText } from '../../base/text/plain-text.ts';
import { escapeUnseen } from '../../base/text/unseen.ts';
import { visibleText } from '../../base/text/visible-text.ts';
import { cleanText, hidesSomething, withoutUnseen } from './clean-text.ts';

const UNSEEN = [
  ['a bell', '\u0007'],
  ['an escape', '\u001b'],
  ['a delete', '\u007f'],
  ['a control sequence of one byte', '\u009b'],
  ['a soft hyphen', '\u00ad'],
  ['an Arabic letter mark', '\u061c'],
  ['a filler', '\u3164'],
  ['a zero-width space', '\u200b'],
  ['a joiner', '\u200d'],
  ['a mark that turns the direction', '\u202e'],
  ['an isolate', '\u2066'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a selector', '\ufe01'],
  ['a tag character', '\u{e0041}'],
  ['a selector that carries bytes', '\u{e0105}'],
  ['half of a character', '\ud83d'],
] as const;

describe.each(UNSEEN)('%s', (_name, sign) => {
  const text = `a${sign}b`;

  test('is left out where a text is read, and written out where somebody decides about it', () => {
    const code = sign.codePointAt(0)?.toString(16);
    expect({
      model: cleanText(text),
      result: withoutUnseen(text),
      log: plainText(text, { maxChars: 100 }),
      report: plainText(text, { maxChars: 100, lines: true }),
      question: visibleText(text),
      hides: hidesSomething(text),
    }).toEqual({
      ...{ model: 'ab', result: 'ab', log: 'ab', report: 'ab' },
      question: `a\\u{${code}}b`,
      hides: true,
    });
  });

  test('is an escape in a document, which stays the same', () => {
    const shown = escapeUnseen(`{"said":"a${sign}b"}`);
    expect(shown).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(shown)).toEqual({ said: text });
  });
});

test('words of all scripts, lines and tabs stay', () => {
  const words = 'العربية, עברית, हिन्दी, 漢字, 😀, ä\n\tb';
  expect([cleanText(words), withoutUnseen(words), escapeUnseen(words)]).toEqual([words, words, words]);
  expect(plainText(words, { maxChars: 100, lines: true })).toBe(words.replace('\t', ' '));
});
