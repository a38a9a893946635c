import type { Call } from '@junctor/hub/answers';
import { expect, test } from 'vitest';
import { newerCount, withNewer, withOlder } from './joined-calls.ts';

const calls = (...ids: string[]): Call[] => ids.map(id => ({ call_id: id }) as Call);

test('newer calls stand before those that were read, older ones behind', () => {
  const read = { calls: calls('c', 'b'), next: 7 };
  const newest = { calls: calls('e', 'd', 'c'), next: 9 };
  expect(newerCount(read, newest)).toBe(2);
  expect(withNewer(read, newest)).toEqual({ calls: calls('e', 'd', 'c', 'b'), next: 7 });
  expect(withOlder(read, { calls: calls('a'), next: null })).toEqual({ calls: calls('c', 'b', 'a'), next: null });
});

test('what is the same stays the same; where a page lies between, reading begins anew', () => {
  const read = { calls: calls('b', 'a'), next: 1 };
  expect(withNewer(read, { calls: calls('b'), next: 2 })).toBe(read);
  const far = { calls: calls('z', 'y'), next: 30 };
  expect(withNewer(read, far)).toBe(far);
});
