import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

test('an owner may ask often at once, then steadily, and others are not held up by that', () => {
  const limit = new RateLimit({ perSecond: 2, burst: 3 });
  expect([0, 0, 0].map(now => limit.take('a', now))).toEqual([undefined, undefined, undefined]);
  expect(limit.take('a', 0)).toBe(1);
  expect(limit.take('b', 0)).toBe(undefined);
  expect(limit.take('a', 500)).toBe(undefined);
  expect(limit.take('a', 501)).toBe(1);
  // After a pause as often at once as before, and no more.
  expect([9000, 9000, 9000, 9000].map(now => limit.take('a', now))).toEqual([undefined, undefined, undefined, 1]);
});

test('ten thousand owners are all that is remembered', () => {
  const limit = new RateLimit({ perSecond: 1, burst: 1 });
  limit.take('first', 0);
  for (let index = 0; index < 20_000; index++) limit.take(String(index), 0);
  expect(limit.take('first', 0)).toBe(undefined);
});
