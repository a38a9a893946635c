import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frameText, LineReader } from './frame.ts';

function read(chunks: readonly (string | Buffer)[], maxBytes = 1000) {
  const lines: string[] = [];
  const reader = new LineReader(
    {
      onFrame: frame => lines.push(frameText(frame)),
      onOversized: (ends, bytes) => lines.push(`too large: ${bytes}, ${frameText([ends[0] as Buffer]).slice(0, 3)}`),
      onBlank: () => lines.push('(blank)'),
    },
    maxBytes,
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return lines;
}

describe('LineReader', () => {
  test.each([
    ['one line', ['abc\n'], ['abc']],
    ['several in a chunk', ['a\nb\nc\n'], ['a', 'b', 'c']],
    ['one over several chunks', ['a', 'b', 'c\n'], ['abc']],
    ['an unfinished line waits', ['a\nb'], ['a']],
    ['Windows line ends', ['a\r\nb\r', '\n'], ['a', 'b']],
    ['blank lines', ['\n\r\na\n'], ['(blank)', '(blank)', 'a']],
    ['a character cut in two', [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])], ['é']],
  ])('%s', (_name, chunks, expected) => {
    expect(read(chunks)).toEqual(expected);
  });

  test('a line over the limit is dropped alone, whatever its chunks', () => {
    const long = 'x'.repeat(50);
    expect(read([`ok\n${long}`, long, long, '\nnext\n'], 100)).toEqual(['ok', 'too large: 150, xxx', 'next']);
  });

  test('any text cut anywhere gives the same lines', () => {
    const line = fc
      .string({ unit: fc.constantFrom('a', '{', '"', 'é', '🌍', ' '), maxLength: 20 })
      .filter(text => text !== '');
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat({ max: 60 })), (lines, cuts) => {
        const bytes = Buffer.from(lines.map(text => `${text}\n`).join(''));
        const places = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(read(chunks)).toEqual(lines);
      }),
    );
  });
});
