import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

test.each(['', 'abc', 'grüße 🌍', ...[54, 55, 56, 57, 63, 64, 65, 119, 120, 1000].map(length => 'x'.repeat(length))])(
  'is what node:crypto says, for %o',
  text => {
    expect(sha256(text)).toBe(hash('sha256', text, 'hex'));
  },
);

test('is what node:crypto says, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => sha256(text) === hash('sha256', text, 'hex')),
  );
});
