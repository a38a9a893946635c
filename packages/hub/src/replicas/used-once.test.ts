import { describe, expect, test } from 'vitest';
import { UsedOnce } from './used-once.ts';

describe('what may be used once', () => {
  test('is known for as long as it must be, and forgotten later', () => {
    let at = 0;
    const used = new UsedOnce({ keepMs: 100, max: 10, now: () => at });
    expect([used.first('a'), used.first('a'), used.first('b')]).toEqual([true, false, true]);
    at = 99;
    expect(used.first('c')).toBe(true);
    at = 150;
    expect([used.first('a'), used.first('c')]).toEqual([false, false]);
    at = 260;
    expect([used.first('a'), used.first('c')]).toEqual([true, true]);
    at = 1000;
    expect(used.first('a')).toBe(true);
  });

  test('is bounded: once too much is remembered, nothing more counts for a while', () => {
    let at = 0;
    const used = new UsedOnce({ keepMs: 100, max: 3, now: () => at });
    expect(['a', 'b', 'c', 'd', 'e'].map(one => used.first(one))).toEqual([true, true, true, false, false]);
    at = 100;
    expect(used.first('d')).toBe(true);
  });
});
