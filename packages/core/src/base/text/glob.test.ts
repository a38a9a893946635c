import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob, compilePathGlob } from './glob.ts';

const escaped = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, '\\$&');

/** What a glob means, said with a regular expression: slow where it backtracks, and easy to read. */
function meant(pattern: string, stopsAtSlash: boolean): RegExp {
  const source = pattern.replace(/\*+|\?|[^*?]+/g, piece => {
    if (piece === '?') return stopsAtSlash ? '[^/\\\\]' : '.';
    if (!piece.startsWith('*')) return escaped(piece);
    return stopsAtSlash && piece.length === 1 ? '[^/\\\\]*' : '.*';
  });
  return new RegExp(`^${source}$`, 's');
}

const letters = fc.constantFrom('a', 'b', '/', '\\', '\n', '.', '💡');
const patterns = fc.string({ unit: fc.oneof(letters, fc.constantFrom('*', '?')), maxLength: 8 });
const texts = fc.string({ unit: letters, maxLength: 12 });

describe('a glob', () => {
  test('means what the regular expression of it means', () => {
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        expect([pattern, text, compileGlob(pattern).test(text)]).toEqual([
          pattern,
          text,
          meant(pattern, false).test(text),
        ]);
        expect([pattern, text, compilePathGlob(pattern).test(text)]).toEqual([
          pattern,
          text,
          meant(pattern, true).test(text),
        ]);
      }),
      { numRuns: 5000 },
    );
  });
});
