import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutJson } from './cut-json.ts';
import { cutText } from './cut-text.ts';
import { shares } from './shares.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
);
const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

describe('a text that is cut', () => {
  test('keeps its beginning and its end, and says what is missing', () => {
    const text = Array.from({ length: 1000 }, (_, line) => `line ${line}`).join('\n');
    const cut = cutText(text, { maxChars: 300 });
    expect(cut.length).toBeLessThanOrEqual(300);
    expect(cut).toMatch(
      /^line 0\nline 1\n[\s\S]*\n\[… \d+ characters left out, \d+ to \d+ …\]\nline \d+\n[\s\S]*line 999$/,
    );
    const [, from, to] = /left out, (\d+) to (\d+)/.exec(cut) as unknown as [string, string, string];
    expect(cut).toBe(
      `${text.slice(0, Number(from))}\n[… ${Number(to) - Number(from)} characters left out, ${from} to ${to} …]\n${text.slice(Number(to))}`,
    );
  });

  test('never ends inside a character, and is never longer than asked for', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 100, max: 300 }), (text, maxChars) => {
        fc.pre(!lone.test(text));
        const cut = cutText(text.repeat(3), { maxChars });
        expect(lone.test(cut)).toBe(false);
        expect(cut.length).toBeLessThanOrEqual(maxChars);
      }),
    );
  });

  test('of JSON is JSON, whatever its length, and begins as the whole does', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 6, stringUnit: 'grapheme' }),
        fc.nat(400),
        fc.boolean(),
        (text, maxChars, pretty) => {
          const whole = pretty ? JSON.stringify(JSON.parse(text), null, 2) : text;
          const cut = cutJson(whole, Math.min(maxChars, whole.length - 1));
          if (cut === undefined) return;
          expect(cut.length).toBeLessThanOrEqual(maxChars);
          expect(lone.test(JSON.stringify(JSON.parse(cut)))).toBe(lone.test(whole) && lone.test(cut));
        },
      ),
    );
  });

  test.each([
    ['[1,2,3,4,5,6,7,8,9,10,11,12]', 24, '[1,2,3,4,5,"… cut here"]'],
    ['{"a":1,"b":[true,false,null,"xyz"]}', 34, '{"a":1,"b":[true,"… cut here"]}'],
    ['{"a":{"b":{"c":1}}}', 18, '{"…":"cut here"}'],
  ])('%s to %i', (text, maxChars, cut) => {
    expect(cutJson(text, maxChars)).toBe(cut);
  });

  test('shows a long text inside JSON as far as there is room, not inside an escape, and base64 not at all', () => {
    const words = JSON.stringify({ words: 'a "b" 😀 \u0007 '.repeat(100), n: 1 });
    for (let maxChars = 300; maxChars < 340; maxChars++) {
      const cut = cutJson(words, maxChars) as string;
      expect(cut.length).toBeGreaterThan(maxChars - 20);
      expect(JSON.parse(cut).words).toMatch(/^a "b" 😀 .*…$/);
    }
    const escaped = `{"words":"${'\\ud83d\\ude00'.repeat(100)}"}`;
    for (let maxChars = 300; maxChars < 330; maxChars++) {
      expect(JSON.parse(cutJson(escaped, maxChars) as string).words).toMatch(/^(😀)+…$/u);
    }
    expect(cutJson(JSON.stringify({ name: 'pixel', data: 'iVBORw0KGgo='.repeat(100) }), 500)).toBe(
      '{"name":"pixel","…":"cut here"}',
    );
  });
});

test('room is shared so that who needs little gets all of it', () => {
  expect(shares([10, 1000, 2000], 610)).toEqual([10, 300, 300]);
  expect(shares([1, 2], 10)).toEqual([1, 2]);
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1 }), fc.nat(5000), (needs, room) => {
      const given = shares(needs, room);
      expect(given.every((share, index) => share <= (needs[index] as number))).toBe(true);
      expect(given.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(room);
    }),
  );
});
