import { expect, test } from 'vitest';
import { steerless, steerlessJson } from './steerless.ts';

const HOSTILE = 'a\u001b]0;owned\u0007b\u001b[2Jc\u009b31md\re\u007f\u202ef\tg\r\nh 👩‍👩‍👧 ä';

test('what steers a terminal is left out, words and lines stay', () => {
  expect(steerless(HOSTILE)).toBe('a]0;ownedb[2Jc31mdef\tg\nh 👩‍👩‍👧 ä');
});

test('a JSON document stays the same document', () => {
  const text = JSON.stringify({ said: HOSTILE }, null, 2);
  const shown = steerlessJson(text);
  expect(JSON.parse(shown)).toEqual({ said: HOSTILE });
  expect(shown).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
});
