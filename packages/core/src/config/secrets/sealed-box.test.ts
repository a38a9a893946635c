import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { seal, unseal } from './sealed-box.ts';

describe('a sealed box', () => {
  const key = randomBytes(32);

  test.each(['x', 'pässwörd ✓', 'two\nlines\n', 'a'.repeat(5000)])('gives back what was sealed: %.12s', value => {
    expect(unseal(key, 'here', seal(key, 'here', value))).toBe(value);
  });

  test('never looks the same twice', () => {
    expect(seal(key, 'here', 'value')).not.toBe(seal(key, 'here', 'value'));
  });

  test('stays shut with another key, for another purpose, or with any bit changed', () => {
    const box = seal(key, 'here', 'value');
    expect(unseal(randomBytes(32), 'here', box)).toBeUndefined();
    expect(unseal(key, 'there', box)).toBeUndefined();
    const bytes = Buffer.from(box, 'base64url');
    const opened = [...bytes.keys()].filter(index => {
      const altered = Buffer.from(bytes);
      altered[index] = (altered[index] as number) ^ 1;
      return unseal(key, 'here', altered.toString('base64url')) !== undefined;
    });
    expect(opened).toEqual([]);
    expect(['', 'AAAA', box.slice(0, 30)].map(text => unseal(key, 'here', text))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
