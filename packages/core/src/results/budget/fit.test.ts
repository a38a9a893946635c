import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mediaOfPart, textOfPart } from '../content.ts';
import { lighten } from '../media/lighten.ts';
import { outputOf, toToolResult } from '../tool-result.ts';
import { fit } from './fit.ts';
import { DEFAULT_LIMITS } from './limits.ts';

const words = fc.string({ unit: 'grapheme', maxLength: 300 });
const json = fc.json({ maxDepth: 4, stringUnit: 'grapheme' }).filter(text => /^[{[]/.test(text));
const base64 = fc.uint8Array({ minLength: 30, maxLength: 2000 }).map(bytes => Buffer.from(bytes).toString('base64'));
const part = fc.oneof(
  fc.oneof(words, json).map(text => ({ type: 'text', text })),
  words.map(text => ({ type: 'resource', resource: { uri: 'a:b', text } })),
  base64.map(data => ({ type: 'image', mimeType: 'image/png', data })),
  base64.map(blob => ({ type: 'resource', resource: { uri: 'a:b', blob } })),
  fc.jsonValue({ maxDepth: 2 }).map(value => ({ type: 'odd', value })),
);
const answer = fc.record(
  {
    content: fc.array(part, { maxLength: 6 }),
    structuredContent: fc.jsonValue({ maxDepth: 4 }),
    isError: fc.boolean(),
  },
  { requiredKeys: ['content'] },
);

test('whatever is cut stays whole characters, whole JSON and whole media, and keeps to its room', () => {
  fc.assert(
    fc.property(
      answer,
      fc.integer({ min: 0, max: 3000 }),
      fc.integer({ min: 0, max: 3000 }),
      (raw, room, maxMediaBytes) => {
        const whole = toToolResult(raw);
        fc.pre(whole.output.isWellFormed());
        const limits = { ...DEFAULT_LIMITS, maxMediaBytes };
        const { parts, data, removed } = lighten(whole, { limits, resized: new Map(), id: 'res_x' });
        const lighter = { ...whole, parts, output: outputOf(parts, data), ...(data === undefined ? {} : { data }) };
        const kept = { id: 'res_x', chars: lighter.output.length, tokens: 1 };
        const cut = fit(lighter, { maxChars: room, kept });
        expect(cut.output.isWellFormed()).toBe(true);
        expect(cut.output).toBe(cut.parts.length === 0 ? lighter.output : outputOf(cut.parts, undefined));
        expect(cut.parts.length).toBeGreaterThanOrEqual(whole.parts.length);
        whole.parts.forEach((before, index) => {
          const after = cut.parts[index] as (typeof whole.parts)[number];
          const media = mediaOfPart(before);
          if (media)
            expect(after.type === 'reference' ? removed.map(one => one.data) : [mediaOfPart(after)?.data]).toContain(
              media.data,
            );
          const [text, left] = [textOfPart(before), textOfPart(after)];
          if (text === undefined || left === undefined || left.includes('characters left out')) return;
          // Shown whole, or as a document of its own.
          if (left !== text) expect(() => JSON.parse(left)).not.toThrow();
        });
        // What cannot be cut any further: names of media, one note for each text, and how to read on.
        const least = cut.parts.length * 120 + whole.parts.length * 560 + 400;
        expect(cut.output.length).toBeLessThanOrEqual(Math.max(room, least));
      },
    ),
    { numRuns: 300 },
  );
});
